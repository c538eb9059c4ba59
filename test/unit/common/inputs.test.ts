import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connect, readApiInputs } from '../../../src/common/api.ts';
import { peekFailOn, readFailOn } from '../../../src/common/fail-on.ts';
import { findNoSecret } from '../../../src/common/no-secret.ts';
import { readYamlMapping } from '../../../src/common/yaml-input.ts';
import { fakeRunner, passedInputs } from '../../helpers/fake-runner.ts';

describe('the inputs of the API', () => {
  const good = { 'api-key': 'mint_key', 'project-id': 'acme' };

  it.each([
    ['', 'https://api.mintlify.com/', 'https://app.mintlify.com'],
    ['https://api.mintlify.com/base', 'https://api.mintlify.com/base', 'https://app.mintlify.com'],
    ['https://api.example:8443/a', 'https://api.example:8443/a', ''],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/', ''],
  ])('have an address and its dashboard: %j', (baseUrl, href, dashboardUrl) => {
    const secrets: string[] = [];
    const inputs = passedInputs({ ...good, 'base-url': baseUrl });
    const readSecret = (name: string) => {
      secrets.push(name);
      return inputs.readSecret(name);
    };
    const api = readApiInputs({ ...inputs, readSecret }, 'write');
    expect({ ...api, baseUrl: api.baseUrl.href }).toEqual({
      apiKey: 'mint_key',
      projectId: 'acme',
      baseUrl: href,
      dashboardUrl,
    });
    expect(secrets).toEqual(['api-key']);
  });

  const spelling =
    'and check the spelling of its name, because GitHub passes an empty string for a secret that does not exist';
  const characters =
    'Input api-key contains a space, a line break, a quote or a character that is not ASCII: copy only the value, without quotes, into the secret again.';
  const address =
    'it takes an https address with only a host and a path, such as https://api.mintlify.com (plain http for loopback addresses only).';
  const parts = `Input base-url has user info, a query or a fragment: ${address}`;

  it.each<[string, string, string]>([
    [
      'api-key',
      '',
      `Input api-key is empty: store an admin API key as a secret, pass that secret to this input, ${spelling}.`,
    ],
    ['api-key', 'mint key', characters],
    ['api-key', 'mint"key', characters],
    ['api-key', "mint'key", characters],
    ['api-key', 'mint`key', characters],
    ['api-key', 'mint_kéy', characters],
    [
      'project-id',
      '',
      'Input project-id is empty: copy it from the API keys page of the dashboard, and check the spelling of the variable or secret that you keep it in, because GitHub passes an empty string for one that does not exist.',
    ],
    [
      'project-id',
      'a/b',
      'Input project-id is "a/b": copy it from the API keys page of the dashboard (letters, digits, "-", "_", "." and ":").',
    ],
    ['base-url', 'http://api.example', `Input base-url is "http://api.example": ${address}`],
    ['base-url', 'api.example', `Input base-url is "api.example": ${address}`],
    ['base-url', 'http://u:p@x@api.example', parts],
    ['base-url', 'https://u@api.example', parts],
    ['base-url', 'https://:p@api.example', parts],
    ['base-url', 'https://api.example?', parts],
    ['base-url', 'https://api.example#', parts],
  ])('are refused if %s is %j', (name, value, sentence) => {
    expect(() => readApiInputs(passedInputs({ ...good, [name]: value }), 'write')).toThrow(
      expect.objectContaining({ reason: 'bad-input', message: sentence }),
    );
  });

  it('ask for a key that can read where nothing is written', () => {
    expect(() => readApiInputs(passedInputs({}), 'read')).toThrow(
      `Input api-key is empty: store an API key (the scope read is enough) as a secret, pass that secret to this input, ${spelling}.`,
    );
  });

  it('end a request when the run is cancelled', async () => {
    const runner = fakeRunner();
    runner.stop(new Error('received SIGINT'));
    const api = readApiInputs(passedInputs({ ...good, 'base-url': 'http://127.0.0.1:9' }), 'read');
    await using client = connect(api, runner);
    const request = { method: 'GET', path: [], timeoutMs: 1000 } as const;
    expect(await client.send(request)).toMatchObject({ fault: { kind: 'cancelled' } });
  });
});

describe('fail-on', () => {
  const choices = ['failed', 'archived', 'skipped'] as const;
  const read = (text: string) => {
    const inputs = passedInputs({ 'fail-on': text });
    return [...readFailOn(inputs, choices, ['failed'])];
  };

  it('lists results, or none, and has a default', () => {
    expect(['', 'none', 'archived, skipped'].map(read)).toEqual([
      ['failed'],
      [],
      ['archived', 'skipped'],
    ]);
    expect([...peekFailOn(passedInputs({ 'fail-on': 'skipped, x' }), choices)]).toEqual([
      'skipped',
    ]);
    expect([...peekFailOn(passedInputs({}), choices)]).toEqual([]);
  });

  it.each([
    ['none, failed', 'Input fail-on combines "none" with other words: write only "none".'],
    [
      'failed, x',
      'Input fail-on has "x": it takes any of failed, archived and skipped, or "none".',
    ],
  ])('cannot be %j', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});

describe('a run without a key', () => {
  const find = (eventName: string, event: string, env: NodeJS.ProcessEnv = {}, apiKey = '') => {
    const path = fileURLToPath(new URL(`../../fixtures/events/${event}.json`, import.meta.url));
    const variables = {
      GITHUB_EVENT_NAME: eventName,
      GITHUB_EVENT_PATH: path,
      GITHUB_REPOSITORY: 'acme/product',
      ...env,
    };
    return findNoSecret(fakeRunner(variables, { 'api-key': apiKey }), ', and more');
  };
  const fork = 'pull-request-from-fork';
  const dependabot = 'pull-request-by-dependabot';
  const bot = { GITHUB_ACTOR: 'dependabot[bot]' };

  it.each<[string, string, NodeJS.ProcessEnv, RegExp | undefined, string?]>([
    ['pull_request', fork, {}, /^Nothing was done, because .* from another repository/],
    ['pull_request_review', fork, {}, /from another repository/],
    ['pull_request_review_comment', fork, {}, /from another repository/],
    ['pull_request_target', fork, {}, undefined],
    ['pull_request', 'issues-labeled-by-owner', {}, undefined],
    ['pull_request', 'none', {}, undefined],
    ['pull_request', fork, {}, undefined, 'mint_key'],
    ['pull_request', dependabot, {}, /store the API key as a Dependabot secret, and more, or run/],
    ['push', 'push-by-writer', bot, /Dependabot/],
    ['push', 'push-by-writer', {}, undefined],
    ['schedule', 'schedule', bot, undefined],
  ])('is skipped: %s, %s, %j: %s', async (eventName, event, env, message, apiKey) => {
    expect(await find(eventName, event, env, apiKey)).toEqual(
      message && {
        result: 'skipped',
        reason: 'no-secret',
        message: expect.stringMatching(message),
        level: eventName === 'push' ? 'warning' : 'notice',
      },
    );
  });

  it('is not a fork’s if its name differs in case alone', async () => {
    const name = 'STRANGER/product';
    const seen = await find('pull_request', fork, { GITHUB_REPOSITORY: name });
    expect(seen).toBeUndefined();
  });
});

describe('a YAML mapping', () => {
  const read = (text: string) => [...readYamlMapping('variables', text, 'write one')];

  it('has its scalars as they are written', () => {
    expect(read('a: 1.10\nb: "x\\ty"\nc: |\n  z\nd:\n? [e]\n: yes')).toEqual([
      ['a', '1.10'],
      ['b', 'x\ty'],
      ['c', 'z\n'],
      ['d', ''],
      ['', 'yes'],
    ]);
    expect(read('{a, b: 1}')).toEqual([
      ['a', ''],
      ['b', '1'],
    ]);
    expect(read('# nothing')).toEqual([]);
  });

  it.each([
    [
      'a: 1\na: 2',
      'cannot be read as YAML (line 2): write one, and quote a value that has ": " or " #" in it.',
    ],
    [
      'a: 1\nb: !x 2',
      'cannot be read as YAML (line 2): write one, and quote a value that has ": " or " #" in it.',
    ],
    ['a: &x 1', 'uses a YAML anchor: repeat the value instead.'],
    ['- a', 'is not a YAML mapping: write one.'],
  ])('is not %j', (text, problem) => {
    expect(() => read(text)).toThrow(`Input variables ${problem}`);
  });
});
