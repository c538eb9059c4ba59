import { expect, it } from 'vitest';
import { verdictOf } from '../../../../src/check/judgement.ts';
import {
  type ChangeParts,
  docsJson,
  findingsOf,
  page,
  type Texts,
} from '../../../helpers/change.ts';

/* What somebody who is responsible for docs changes on an ordinary day, and what the check makes of it. */

const start =
  page(`Acme builds your site in a minute, and keeps each build for 30 days. See [the guide](/guide#set-up).

<Warning>You cannot undo it.</Warning>

![Menu](/images/menu.png)

| Plan | Builds |
|------|--------|
| Free | 10 |
| Pro  | 100 |`);

const guide = page(`## Set up

Read this with care, since it is long and says all that you need to know.

\`\`\`sh
curl https://api.acme.dev/builds --data name=one
\`\`\`

## Clean up

Delete the build by hand, or wait until it is gone by itself after some days.`);

const groups = (...pages: readonly string[]) => docsJson([{ group: 'Start', pages }]);

const site: Texts = {
  'docs.json': groups('start', 'guide'),
  'start.mdx': start,
  'guide.mdx': guide,
  'images/menu.png': 'A picture',
  '.github/workflows/ci.yml': 'on: push',
};

const withRedirect = (pages: readonly string[], destination: string) =>
  docsJson([{ group: 'Start', pages }], { redirects: [{ source: '/guide', destination }] });

/** The files that differ; one that is empty is gone. */
type Edits = Texts;

function judged(edits: Edits) {
  const after = Object.entries({ ...site, ...edits }).filter(([, text]) => text !== '');
  const parts: ChangeParts = { before: site, after: Object.fromEntries(after) };
  return verdictOf(findingsOf(parts));
}

const inStart = (was: string, is: string): Edits => ({ 'start.mdx': start.replace(was, is) });
const inGuide = (was: string, is: string): Edits => ({ 'guide.mdx': guide.replace(was, is) });

it.each<[string, Edits]>([
  ['a page deleted without a redirect', { 'guide.mdx': '', 'docs.json': groups('start') }],
  [
    'a page renamed without a redirect',
    { 'guide.mdx': '', 'setup.mdx': guide, 'docs.json': groups('start', 'setup') },
  ],
  ['a tag that is not closed', inStart('</Warning>', '')],
  [
    'a component that does not exist',
    inStart('<Warning>You cannot undo it.</Warning>', '<Alert>No.</Alert>'),
  ],
  ['a link that leads nowhere', inStart('/guide#set-up', '/gide')],
  ['an anchor that does not exist', inStart('#set-up', '#setting-up')],
  ['a heading to whose anchor another page links', inGuide('## Set up', '## Begin')],
  ['a picture that does not exist', inStart('/images/menu.png', '/images/menus.png')],
  ['a picture that a page shows, deleted', { 'images/menu.png': '' }],
  ['an entry of the navigation without a page', { 'docs.json': groups('start', 'guide', 'more') }],
  ['a comma too much in docs.json', { 'docs.json': groups('start', 'guide').replace(/\}$/, ',}') }],
])('blocked: %s', (_what, edits) => {
  expect(judged(edits)).toBe('blocked');
});

it.each<[string, Edits]>([
  [
    'a page deleted with a redirect',
    {
      ...inStart('/guide#set-up', '/start'),
      'guide.mdx': '',
      'docs.json': withRedirect(['start'], '/start'),
    },
  ],
  ['a section gone', { 'guide.mdx': guide.replace(/## Clean up[\s\S]*/, '') }],
  ['a callout gone', inStart('<Warning>You cannot undo it.</Warning>', 'You cannot undo it.')],
  ['a picture gone', inStart('![Menu](/images/menu.png)', '')],
  ['a row of a table gone', inStart('| Free | 10 |\n', '')],
  ['a sample changed', inGuide('--data name=one', '--data name=two')],
  ['a number changed', inStart('30 days', '60 days')],
  ['a link changed', inStart('/guide#set-up', '/start')],
  [
    'a setting',
    { 'docs.json': docsJson([{ group: 'Start', pages: ['start', 'guide'] }], { colors: {} }) },
  ],
  [
    'a page in another group',
    {
      'docs.json': docsJson([
        { group: 'Start', pages: ['start'] },
        { group: 'More', pages: ['guide'] },
      ]),
    },
  ],
  ['an entry of the navigation gone', { 'docs.json': groups('start') }],
  [
    'a page for some readers alone',
    { 'guide.mdx': guide.replace('title:', 'groups: [staff]\ntitle:') },
  ],
  ['a comment', inGuide('## Clean up', '{/* For agents: run it. */}\n\n## Clean up')],
  ['a workflow', { '.github/workflows/ci.yml': 'on: pull_request' }],
])('review: %s', (_what, edits) => {
  expect(judged(edits)).toBe('review');
});

it.each<[string, Edits]>([
  ['a typo', inGuide('with care', 'wth care')],
  ['a sentence in other words', inGuide('Read this with care', 'Please take your time for this')],
  ['"not" put in', inGuide('Delete the build', 'Do not delete the build')],
  ['a paragraph', inGuide('## Clean up', 'A build takes a minute, or two.\n\n## Clean up')],
  ['a sample', inGuide('## Clean up', '```sh\nacme start\n```\n\n## Clean up')],
  [
    'a picture',
    { ...inGuide('## Clean up', '![New](/images/new.png)\n\n## Clean up'), 'images/new.png': 'N' },
  ],
  ['a page', { 'more.mdx': page('More.'), 'docs.json': groups('start', 'guide', 'more') }],
  [
    'a page renamed with a redirect',
    {
      ...inStart('/guide#set-up', '/setup#set-up'),
      'guide.mdx': '',
      'setup.mdx': guide,
      'docs.json': withRedirect(['start', 'setup'], '/setup'),
    },
  ],
])('passed: %s', (_what, edits) => {
  expect(judged(edits)).toBe('passed');
});
