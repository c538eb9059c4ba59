import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { repositoryName } from '../../scripts/actions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const find = (pattern: string) => globSync(pattern, { cwd: root }).sort();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const examples = find('examples/*.yml');
const all = [...examples, ...find('.github/workflows/*.yml')];

const workflowSchema = v.looseObject({
  permissions: v.strictObject({}),
  jobs: v.record(v.string(), v.looseObject({})),
});

const jobsSchema = v.looseObject({
  jobs: v.record(v.string(), v.looseObject({ permissions: v.record(v.string(), v.string()) })),
});

/** Fields of the event in an expression, except those that a stranger cannot choose freely. */
const unsafeExpression =
  /\$\{\{ *github\.event\.(?!label\.name|issue\.number|comment\.id|pull_request\.number|before|release\.tag_name|release\.author\.login)/;

describe('a workflow', () => {
  it.each(all)('has no permissions outside its jobs: %s', (path) => {
    expect(v.safeParse(workflowSchema, parseYaml(read(path))).issues).toBeUndefined();
  });

  it.each(all)('pins third-party actions by commit: %s', (path) => {
    for (const [, action = '', comment = ''] of read(path).matchAll(/\buses: (\S+)(.*)/g)) {
      const [name = '', reference = ''] = action.split('@');
      if (name.startsWith(repositoryName())) {
        expect(reference).toBe('v1');
      } else if (!name.startsWith('./')) {
        expect(reference).toMatch(/^[0-9a-f]{40}$/);
        expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
      }
    }
  });
});

describe('an example', () => {
  it.each(examples)('is safe to copy: %s', (path) => {
    const text = read(path);
    expect(text).not.toMatch(unsafeExpression);
    expect(text).not.toMatch(/cancel-in-progress: true/);
  });

  it.each(examples.filter((path) => /\bissue_comment:/.test(read(path))))(
    'listens to nothing but comments, and checks nothing out: %s',
    (path) => {
      const { on } = v.parse(v.looseObject({ on: v.unknown() }), parseYaml(read(path)));
      expect(on).toEqual({ issue_comment: { types: ['created'] } });
      expect(read(path)).not.toContain('actions/checkout');
    },
  );

  const onPulls = examples.filter((path) => read(path).includes('pull_request_target:'));

  it.each(onPulls)('that a pull request triggers works by API, without a secret: %s', (path) => {
    const text = read(path);
    const { on } = v.parse(v.looseObject({ on: v.looseObject({}) }), parseYaml(text));
    expect(Object.keys(on)).toEqual(['pull_request_target']);
    expect(text).not.toMatch(/\bsecrets\b/);
    expect(text).not.toMatch(/\bgit (?:clone|fetch)\b|gh pr checkout/);
    for (const [, action = ''] of text.matchAll(/\buses: (\S+)/g)) {
      expect(action).toMatch(/\/docs-agent-action\/check@v1$/);
    }
  });

  it.each(onPulls.filter((path) => read(path).includes('uses:')))(
    'that checks a pull request does so after every change, and cannot push: %s',
    (path) => {
      const text = read(path);
      const { on } = v.parse(v.looseObject({ on: v.unknown() }), parseYaml(text));
      const types = ['opened', 'synchronize', 'reopened', 'edited'];
      expect(on).toEqual({ pull_request_target: { types } });
      const { permissions } = Object.values(v.parse(jobsSchema, parseYaml(text)).jobs)[0] ?? {};
      expect(permissions).toEqual({
        contents: 'read',
        'pull-requests': 'write',
      });
    },
  );

  it.each(examples.filter((path) => read(path).includes('outputs.top-pages }}')))(
    'puts only paths of the docs own pages into a prompt: %s',
    (path) => {
      expect(read(path)).toContain('docs-root: ');
    },
  );

  it('that a merge of code starts is not started by a merge of the docs', () => {
    const { on } = v.parse(
      v.looseObject({ on: v.unknown() }),
      parseYaml(read('examples/after-merge.yml')),
    );
    expect(on).toEqual({ push: { branches: ['main'], 'paths-ignore': ['docs/**'] } });
  });

  it.each(examples)('has a time limit and a concurrency group: %s', (path) => {
    const { jobs, ...workflow } = v.parse(workflowSchema, parseYaml(read(path)));
    expect(workflow).toMatchObject({ concurrency: { 'cancel-in-progress': false } });
    for (const job of Object.values(jobs)) {
      expect(job).toMatchObject({ 'timeout-minutes': expect.any(Number) });
    }
  });

  it.each(examples)('begins with what it does, and what to change: %s', (path) => {
    expect(read(path)).toMatch(/^# [A-Z][\s\S]*?\n#\n[\s\S]*?# To change: .*(?:\n# .*)*\nname: /);
  });
});
