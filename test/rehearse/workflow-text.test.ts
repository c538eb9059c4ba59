import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../rehearse/workflow-text.ts';
import { repositoryName } from '../../scripts/repository-name.ts';

const repository = 'acme/our.action';

function read(on: string, rest = '') {
  return readWorkflow(`on: ${on}\n${rest}`, repository);
}

describe("somebody's workflow", () => {
  it.each([
    ['push', [{ name: 'push', types: [] }]],
    [
      '[push, release]',
      [
        { name: 'push', types: [] },
        { name: 'release', types: [] },
      ],
    ],
    ['{ issues: { types: [labeled] } }', [{ name: 'issues', types: ['labeled'] }]],
    ['{ issues: { types: labeled } }', [{ name: 'issues', types: ['labeled'] }]],
    [
      '{ workflow_dispatch: , schedule: [{ cron: 5 4 * * 1 }] }',
      [
        { name: 'workflow_dispatch', types: [] },
        { name: 'schedule', types: [] },
      ],
    ],
  ])('starts on %s', (on, events) => {
    expect(read(on).events).toEqual(events);
  });

  it('uses this repository by these references', () => {
    const { references } = read(
      'push',
      `jobs:
  one: { uses: acme/our.action/.github/workflows/docs.yml@v1 }
  two:
    steps:
      - uses: acme/our.action@0a1b2c # v1.2.0
      - uses: "acme/our.action/visitors@v2"
      - uses: acme/our.action@v2
      - uses: acme/ourXaction@v3
      - uses: acme/our.action-not@v4
`,
    );
    expect(references).toEqual(['v1', '0a1b2c', 'v2']);
  });

  it('names the secrets, the variables and the label it asks for', () => {
    expect(
      read(
        'push',
        `jobs:
  docs:
    if: github.event.label.name == 'write docs'
    steps:
      - with:
          api-key: \${{ secrets.MY_KEY }}
          project-id: \${{vars.MY_PROJECT}}
      - env: { OTHER: '\${{ secrets.OTHER }}' }
`,
      ),
    ).toMatchObject({
      keySecrets: ['MY_KEY'],
      projectVariables: ['MY_PROJECT'],
      label: 'write docs',
    });
  });

  it.each(['', 'name: x', 'on: 7', 'on: [{}]', '- on'])('is none when it says %j', (text) => {
    expect(() => readWorkflow(text, repository)).toThrow('it has no "on:"');
  });
});

describe.each(globSync('examples/*.yml'))('%s', (path) => {
  it('can be read', () => {
    const { events } = readWorkflow(readFileSync(path, 'utf8'), repositoryName());
    expect(events).not.toEqual([]);
  });
});
