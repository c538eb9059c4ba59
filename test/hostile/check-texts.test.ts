import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../helpers/run-check.ts';
import { echo } from './echo.ts';
import { canary, hostileText } from './hostile-text.ts';
import { findRenderedEffects } from './rendered-oracle.ts';
import { executedCommands, ownCommands } from './runner-commands.ts';

/** Each value is a run of the bundle, which is slow on a busy machine. */
const timeoutMs = 240_000;
const settings = { numRuns: 12, endOnFailure: true } as const;

const texts = fc.record({
  name: hostileText,
  title: hostileText,
  text: hostileText,
  link: hostileText,
  group: hostileText,
  setting: hostileText,
  check: hostileText,
});

type Texts = typeof texts extends fc.Arbitrary<infer Value> ? Value : never;

/** A name that Git accepts for a file. */
const fileName = (text: string) => text.toWellFormed().replaceAll(/[\0/]/g, '');

function docs(settingsOf: object, group: string, page: string) {
  const navigation = { groups: [{ group, pages: ['index', page] }] };
  return JSON.stringify({ navigation, ...settingsOf }).toWellFormed();
}

function changeWith({ name, title, text, link, group, setting }: Texts) {
  const path = fileName(name);
  const page = (heading: string, more: string) =>
    `---\ntitle: ${JSON.stringify(title)}\n---\n\n# ${heading}\n\n${more}\n\n[a](<${link}>)\n`.toWellFormed();
  const before = {
    'docs.json': docs({ name: 'Acme' }, 'Start', path),
    'index.mdx': 'Welcome.\n',
    [`${path}.mdx`]: page(text, `${text} ${'and so on '.repeat(60)}`),
    [`gone ${path}.mdx`]: page('Gone', text),
    [`${path}.png`]: 'old',
  };
  const after = {
    'docs.json': docs(
      { name: setting, redirects: [{ source: `/${link}`, destination: text }] },
      group,
      link,
    ),
    'index.mdx': `${text}\n\n![${text}](${link})\n`.toWellFormed(),
    [`${path}.mdx`]: page(link, 'Less.'),
    [`${path}.js`]: text.toWellFormed(),
  };
  return { before, after };
}

describe('the check action', () => {
  it(
    'treats the texts of a pull request as data',
    async () => {
      await fc.assert(
        fc.asyncProperty(texts, async (given) => {
          const result = await judge({
            ...changeWith(given),
            inputs: { comment: 'true' },
            reports: ({ head }) => ({
              checkRuns: [
                {
                  repository: 'acme/docs',
                  sha: head,
                  name: `Mintlify ${given.check}`,
                  conclusion: 'failure',
                  detailsUrl: given.link,
                },
              ],
            }),
          });
          expect(result.outputs['result']).toBe('judged');
          expect(result.verdict).toBe('blocked');
          expect(result.summary).toContain(canary);
          expect(result.outputs['findings']).toContain(canary);
          const commands = executedCommands(`${result.stdout}\n${result.stderr}`);
          expect(commands.filter((command) => !ownCommands.has(command.name))).toEqual([]);
          // Our own annotations have a rule as their title, and the others begin with our own words.
          for (const { line } of commands) {
            expect(line).toMatch(
              /^::(?:\w+::[A-Z]|\w+::acme\/docs#12 |add-mask::|\w+ title=[a-z-]+[,:])/,
            );
          }
          expect(result.stderr).toBe('');
          expect(echo(result.outputs)).toEqual({ commands: [], broken: {} });
          const addresses = ['https://github.example/acme/docs/'];
          expect(await findRenderedEffects(result.summary, addresses)).toEqual([]);
          const [comment] = result.comments;
          const visible = comment?.body.replace(
            /^<!-- docs-agent-action check v1 docs=\w+ -->/,
            '',
          );
          expect(await findRenderedEffects(visible ?? '', addresses)).toEqual([]);
        }),
        settings,
      );
    },
    timeoutMs,
  );
});
