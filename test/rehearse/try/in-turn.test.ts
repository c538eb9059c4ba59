import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { runInTurn } from '../../../rehearse/try/in-turn.ts';

it('lets steps run in turn that GitHub runs at the same time, and skips those that are cancelled', () => {
  const { text, lines } = runInTurn(`on: push
jobs:
  docs:
    steps:
      - id: server
        run: npm start
        background: true
      - background: true
        uses: acme/a@v1
      - parallel:
          - run: one
          - { run: two, if: always() }
      - { name: Wait, wait: [server] }
      - wait-all:
      - cancel: server
      - run: wait
`);
  expect(parse(text)).toEqual({
    on: 'push',
    jobs: {
      docs: {
        steps: [
          { id: 'server', run: 'npm start', if: false },
          { uses: 'acme/a@v1' },
          { run: 'one' },
          { run: 'two', if: 'always()' },
          { run: 'wait' },
        ],
      },
    },
  });
  expect(lines).toEqual([7, 8, 10, 13, 14, 15]);
});

it.each([
  'on: push\njobs: { a: { steps: [{ run: wait }] } } # as it is',
  'jobs: { a: { steps: x } }',
  'jobs: [',
  '',
])('leaves %j as it is', (text) => {
  expect(runInTurn(text)).toEqual({ text, lines: [] });
});
