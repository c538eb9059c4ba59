import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findObstacle, localUses, readWorkflow } from '../../../rehearse/try/workflow.ts';
import { inRepository } from '../../../scripts/actions.ts';

const name = 'our.action';
const jobs = 'jobs: { one: { steps: [{ uses: acme/our.action@v1 }] } }';

function read(on: string, rest = jobs) {
  return readWorkflow(`on: ${on}\n${rest}`, name);
}

function event(eventName: string, types: readonly string[] = []) {
  return { name: eventName, types, inputs: {} };
}

describe('a workflow', () => {
  it.each([
    ['push', [event('push')]],
    ['[push, release]', [event('push'), event('release')]],
    ['{ issues: { types: [labeled] } }', [event('issues', ['labeled'])]],
    ['{ issues: { types: labeled } }', [event('issues', ['labeled'])]],
    [
      '{ workflow_dispatch: , schedule: [{ cron: 5 4 * * 1 }] }',
      [event('workflow_dispatch'), event('schedule')],
    ],
  ])('starts on %s', (on, events) => {
    expect(read(on).events).toEqual(events);
  });

  it('has inputs with defaults, and inputs that are required', () => {
    const [dispatch] = read(
      '{ workflow_dispatch: { inputs: { a: { required: true }, b: { default: 7 }, c: } } }',
    ).events;
    expect(dispatch?.inputs).toEqual({
      a: { required: true },
      b: { required: false, default: 7 },
      c: { required: false },
    });
  });

  it.each([
    ['acme/our.action/agent@v1', 'our.action/agent'],
    ['OWNER/our.action/check/fast@v1', 'our.action/check/fast'],
  ])('cannot use an action that does not exist: %s', (uses, action) => {
    expect(() => read('push', `jobs: { one: { steps: [{ uses: ${uses} }] } }`)).toThrow(
      `there is no action ${action}: write one of our.action, our.action/visitors, our.action/check`,
    );
  });

  const shortJobs = (timeout: string, inputs: string, uses = 'acme/our.action@v1') =>
    read('push', `jobs: { docs: { ${timeout} steps: [{ uses: ${uses}, with: { ${inputs} } }] } }`)
      .shortJobs;

  it.each([
    ['', ''],
    ['timeout-minutes: 45,', ''],
    ['timeout-minutes: 20,', 'wait-minutes: 10'],
    ['timeout-minutes: 20,', 'wait-minutes: 0'],
    ['timeout-minutes: 20,', 'dry-run: true'],
    [`timeout-minutes: "\${{ inputs.time }}",`, ''],
  ])('has enough time: %s %s', (timeout, inputs) => {
    expect(shortJobs(timeout, inputs)).toEqual([]);
    expect(shortJobs('timeout-minutes: 1,', '', 'acme/our.action/check@v1')).toEqual([]);
  });

  it.each([
    ['timeout-minutes: 20,', '', 20, 30],
    ['timeout-minutes: 60,', 'wait-minutes: 60', 60, 60],
  ])('warns of too little time: %s %s', (timeout, inputs, minutes, longest) => {
    expect(shortJobs(timeout, inputs)).toEqual([
      `GitHub ends the job docs after ${minutes} minutes (timeout-minutes), and a step may wait for ${longest} (wait-minutes): give the job a few minutes more, so that the step can write its outputs`,
    ]);
  });

  it.each(globSync('examples/*.yml', { cwd: inRepository('.') }))(
    'of the examples uses our actions, with enough time: %s',
    (path) => {
      const text = readFileSync(inRepository(path), 'utf8');
      expect(readWorkflow(text, 'docs-agent-action').shortJobs).toEqual([]);
    },
  );

  it('uses this repository, under any owner, and others', () => {
    const { ownReferences, thirdParty, checkouts } = read(
      'push',
      `jobs:
  one: { uses: acme/our.action/.github/workflows/docs.yml@v1 }
  two:
    steps:
      - uses: acme/our.action@0a1b2c # v1.2.0
      - uses: "fork/our.action/visitors@v2"
      - uses: acme/our.action@v1
      - uses: acme/ourXaction@v3
      - uses: actions/checkout@v7
      - uses: ./.github/actions/own
      - uses: docker://alpine
      - run: 'echo "uses: acme/our.action@v9"'
`,
    );
    expect(ownReferences).toEqual([
      'acme/our.action@v1',
      'acme/our.action@0a1b2c',
      'fork/our.action@v2',
    ]);
    expect(thirdParty.map(({ uses }) => uses)).toEqual(['acme/ourXaction@v3']);
    expect(checkouts).toEqual(['actions/checkout@v7']);
  });

  it('has names of secrets and variables, labels of runners, and a label in its condition', () => {
    expect(
      read(
        'push',
        `jobs:
  docs:
    if: github.event.label.name == 'write docs'
    runs-on: [self-hosted, linux]
    steps:
      - with:
          api-key: \${{ secrets.MY_KEY }}
          project-id: '\${{vars.MY_PROJECT}}'
      - env: { OTHER: '\${{ secrets.OTHER }}' }
  other: { runs-on: '\${{ matrix.os }}' }
`,
      ),
    ).toMatchObject({
      keySecrets: ['MY_KEY'],
      projectVariables: ['MY_PROJECT'],
      labels: ['self-hosted', 'linux'],
      jobs: [{ label: 'docs', condition: "github.event.label.name == 'write docs'" }, {}],
      label: 'write docs',
    });
  });

  it.each([
    [`'\${{ vars.P }}'`, ['P'], []],
    [`\${{ secrets.P }}`, [], ['P']],
    [`\${{ secrets.P || vars.Q }} # \${{ vars.NEVER }}`, ['Q'], ['P']],
    ['P', [], []],
  ])('passes %s as project-id', (value, projectVariables, projectSecrets) => {
    const text = `jobs: { one: { steps: [{ uses: acme/our.action@v1 }] } }\nproject-id: ${value}`;
    expect(read('push', text)).toMatchObject({ projectVariables, projectSecrets });
  });

  it.each([
    ["contains(github.event.pull_request.labels.*.name, 'needs docs')", 'needs docs'],
    ["!contains(github.event.issue.labels.*.name, 'no-docs')", undefined],
  ])('requires a label: %s', (condition, label) => {
    expect(read('push', `jobs: { one: { if: "${condition}" } }`).label).toBe(label);
  });

  const uses = (use: string, inputs: string) =>
    `jobs: { one: { steps: [{ uses: acme/our.action${use}@v1, with: { ${inputs} } }] } }`;

  it.each([
    ['', 'prompt: x', 'acme/product'],
    ['', 'prompt: x, pr-label: docs', 'acme/docs'],
    ['', 'prompt: x, pr-label: docs, docs-repository: a/b', 'acme/product'],
    ['', `prompt: x, on-open-pr: continue, docs-repository: "\${{ vars.D }}"`, 'acme/product'],
    ['', 'prompt: x, pr-label: docs, docs-token: y', 'acme/product'],
    ['', 'prompt: x, job-id: from-pull-request', 'acme/docs'],
    ['/check', '', 'acme/docs'],
    ['/check', 'pr-link: x', 'acme/docs'],
    ['/check', 'pr-link: x, docs-token: y', 'acme/product'],
    ['/visitors', '', 'acme/product'],
  ])('with %s and {%s} is tried in %s', (use, inputs, repository) => {
    expect(read('push', uses(use, inputs)).repository).toBe(repository);
    const given = readWorkflow(`on: push\n${uses(use, inputs)}`, name, [], 'acme/other');
    expect(given.repository).toBe('acme/other');
  });

  it('takes the variable of the examples for the login of the agent, wherever it is read', () => {
    const text = `jobs: { one: { env: { AGENT: "\${{ vars.DOCS_AGENT_LOGIN }}" } } }`;
    expect(read('schedule', text)).toMatchObject({
      agentVariables: ['DOCS_AGENT_LOGIN'],
      repository: 'acme/docs',
    });
  });

  it.each([
    ['', 'prompt: x', false, false],
    ['', 'job-id: from-pull-request', true, true],
    ['/check', '', true, false],
  ])(
    'with %s and {%s} is about the agent: %s, names a job: %s',
    (use, inputs, isAboutAgent, namesJob) => {
      expect(read('pull_request', uses(use, inputs))).toMatchObject({ isAboutAgent, namesJob });
    },
  );

  it.each([
    ['run: gh pr merge', true],
    ['run: ./merge.sh, env: { GH_TOKEN: x }', true],
    ['run: ./merge.sh', false],
  ])('uses gh in "%s": %s', (step, usesGh) => {
    expect(read('push', `jobs: { one: { steps: [{ ${step} }] } }`).usesGh).toBe(usesGh);
  });

  it('uses third-party actions, and checkouts of other repositories', () => {
    const { thirdParty } = read(
      'push',
      `jobs:
  called: { uses: acme/other/.github/workflows/a.yml@v1 }
  one:
    steps:
      - { id: app, name: Make a token, uses: acme/token@v2 }
      - { uses: actions/checkout@v7, with: { repository: acme/other } }
      - { uses: actions/checkout@v7, with: { repository: acme/product, ref: next } }
      - { uses: actions/checkout@v7, with: { repository: '\${{ github.repository }}' } }
`,
    );
    expect(thirdParty).toEqual([
      { uses: 'acme/other/.github/workflows/a.yml@v1', purpose: undefined },
      { uses: 'acme/token@v2', purpose: 'Make a token' },
      { uses: 'actions/checkout@v7', purpose: 'of acme/other' },
    ]);
  });

  it('reads secrets and variables, except in comments', () => {
    const { secrets, variables } = read(
      'push',
      `# \${{ secrets.NEVER }}
jobs:
  one:
    if: vars.IS_ON == 'true'
    steps:
      - env: { A: 'x \${{ secrets.CHAT || vars.CHAT }}', B: '\${{ toJSON(secrets.GITHUB_TOKEN) }}' }
      - run: ls secrets.txt # \${{ secrets.NEVER }}
`,
    );
    expect(secrets).toEqual(['CHAT', 'GITHUB_TOKEN']);
    expect(variables).toEqual(['IS_ON', 'CHAT']);
  });

  it('includes its local actions and workflows', () => {
    const own = `runs:
  using: composite
  steps:
    - uses: acme/our.action@v3
      with: { api-key: '\${{ secrets.INNER }}' }
    - uses: acme/other@v1
    - uses: ./.github/actions/next
`;
    const called = `on: { workflow_call: { secrets: { api-key: } } }
jobs: { two: { steps: [{ env: { A: '\${{ secrets.api-key }}', B: '\${{ secrets.B }}' } }] } }
`;
    const text = 'on: push\njobs: { one: { steps: [{ uses: ./.github/actions/own }] } }';
    expect(readWorkflow(text, name, [own, called])).toMatchObject({
      ownReferences: ['acme/our.action@v3'],
      thirdParty: [{ uses: 'acme/other@v1' }],
      keySecrets: ['INNER'],
      secrets: ['INNER', 'B'],
    });
    expect(localUses(text)).toEqual(['./.github/actions/own']);
    expect(localUses(own)).toEqual(['./.github/actions/next']);
    expect(readWorkflow(text, name, ['runs: { using: docker }']).docker).toHaveLength(1);
  });

  it.each([
    ["github.event.comment.body == '/docs'", '/docs'],
    ["contains(github.event.comment.body, '/docs now')", '/docs now'],
    ['github.event.issue.number == 7', undefined],
  ])('requires a text in a comment: %s', (condition, comment) => {
    const text = `jobs: { one: { if: "${condition}" } }`;
    expect(read('issue_comment', text).comment).toBe(comment);
  });

  it.each(['', 'name: x', 'on: push', `on: 7\n${jobs}`, `on: [{}]\n${jobs}`, '- on'])(
    'is refused when its text is %j',
    (text) => {
      expect(() => readWorkflow(text, name)).toThrow('it is not a workflow');
    },
  );

  it('is refused when its text is not YAML', () => {
    expect(() => readWorkflow('on: [push\njobs:', name)).toThrow(
      /^it is not YAML \(.*line \d.*\)$/,
    );
  });
});

const obstacle = (steps: string, job = '') =>
  findObstacle(readWorkflow(`on: push\njobs: { one: { ${job} steps: [${steps}] } }`, name));
const step = (inputs: string) => `{ uses: acme/our.action@v1, with: { ${inputs} } }`;

describe('a workflow cannot be tried', () => {
  it.each([
    ['an API key in the file', step('api-key: mint_123')],
    ['an action in Docker', `${step('')}, { uses: "docker://alpine:3" }`],
  ])('with %s', (_name, steps) => {
    expect(obstacle(steps)).toMatch(/^because .*\w$/);
  });

  it('with a container', () => {
    expect(obstacle(step(''), 'container: node:24,')).toContain('Docker');
  });
});

describe('a workflow can be tried', () => {
  it.each([
    step(''),
    step('base-url: http://127.0.0.1:4100'),
    step(`base-url: '\${{ vars.BASE_URL }}', api-key: '\${{ secrets.KEY }}'`),
    `${step('')}, { uses: actions/checkout@v7 }, { run: ls }`,
    '{ uses: acme/other@v1 }, { run: ls }',
    `${step('')}, { uses: actions/setup-node@v7 }`,
  ])('with the steps %s', (steps) => {
    expect(obstacle(steps, "container: '',")).toBeUndefined();
  });
});
