import { createRepository, type Files } from '../sandbox/github/git.ts';
import { startGitHub } from '../sandbox/github/github.ts';
import { addPull } from '../sandbox/github/state.ts';
import { bundleOf } from '../scripts/actions.ts';
import { type Measurement, median, runMeasured } from './measurement.ts';

/* A docs repository of a thousand pages beside 200 MB of images, and a pull request that changes fifty of them. */

/** Each figure is the median of this many runs; the memory is the largest. */
const runs = 5;
const pageCount = 1000;
const changedPages = 50;
const imageCount = 400;
const serverUrl = 'https://github.example';

/** Measures the check bundle in dist, against the local stand-in for GitHub. */
export async function measureCheck(): Promise<readonly Measurement[]> {
  const git = createRepository();
  const pages = Array.from({ length: pageCount }, (_, index) => page(index, 'Version 1'));
  const first = git.commit({ files: filesOf(pages) });
  // The changed pages have a history.
  const edited = pages.map((text, index) => (index < changedPages ? page(index, 'Two') : text));
  const base = git.commit({ files: filesOf(edited), parents: [first] });
  const head = git.commit({ files: filesOf(change(edited)), parents: [base] });
  const github = await startGitHub({ repositories: [{ name: 'bench/docs', git }], serverUrl });
  addPull(github, 'bench/docs', { number: 1, base, head });
  try {
    const figures: Awaited<ReturnType<typeof judge>>[] = [];
    for (let run = 0; run < runs; run += 1) {
      figures.push(await judge(github.url));
    }
    const seconds = (pick: (figure: (typeof figures)[number]) => number) =>
      `${(median(figures.map(pick)) / 1000).toFixed(1)} s`;
    const peakMb = Math.max(...figures.map((figure) => figure.peakMb));
    return [
      [
        `Checking ${changedPages} of ${pageCount} pages beside 200 MB of images: requests`,
        String(github.requests.length / runs),
        '≤ 25',
      ],
      ['… time, with a GitHub that responds at once', seconds(({ tookMs }) => tookMs), '≤ 15 s'],
      ['… processor time', seconds(({ cpuMs }) => cpuMs), '≤ 3 s'],
      ['… peak memory', `${peakMb.toFixed(0)} MB`, '≤ 400 MB'],
    ];
  } finally {
    await github.close();
  }
}

async function judge(apiUrl: string) {
  const result = await runMeasured({
    ...bundleOf('check'),
    inputs: { 'pr-link': `${serverUrl}/bench/docs/pull/1` },
    context: {
      serverUrl,
      apiUrl,
      repository: 'bench/docs',
      actor: 'bench',
      eventName: 'workflow_dispatch',
      token: 'bench-token',
    },
  });
  const { outputs, stdout, stderr } = result;
  const rules = ['dead-address', 'broken-link', 'gone'];
  const missed = rules.filter((rule) => !(outputs['findings'] ?? '').includes(`"${rule}"`));
  if (outputs['verdict'] !== 'blocked' || missed.length > 0) {
    throw new Error(`The check missed ${missed.join(', ')}: ${stdout}${stderr}`);
  }
  return result;
}

const nameOf = (index: number) => `guides/section-${index % 20}/page-${index}`;
const addressOf = (index: number) => `/${nameOf(index % pageCount)}`;

/** A page of 10 kB, with links to others. */
function page(index: number, version: string): string {
  const sections = Array.from({ length: 10 }, (_, section) => {
    const other = (index + section + 1) % pageCount;
    return `
## Part ${section} of page ${index}

<Note>Read [the page before](${addressOf(index + 999)}) and [another](${addressOf(other)}#part-1-of-page-${other}).</Note>

Sentence ${section} says what to do, and [a page elsewhere](https://docs.acme.dev/${index}/${section}) says why.
The \`--flag-${section}\` takes a number. ${'It is explained at some length, so that the page has its size. '.repeat(8)}

![A picture](/images/picture-${other % imageCount}.png)

\`\`\`sh
acme run --flag-${section} ${index}
\`\`\`
`;
  });
  return `---\ntitle: "Page ${index}"\n---\n\n${version} begins here.\n${sections.join('')}`;
}

/** @param pages by their index; one that is empty does not exist, but stays in the navigation */
function filesOf(pages: readonly string[]): Files {
  const groups = Array.from({ length: 20 }, (_, section) => ({
    group: `Section ${section}`,
    pages: pages.flatMap((text, index) =>
      text !== '' && index % 20 === section ? [nameOf(index)] : [],
    ),
  }));
  const images = Array.from({ length: imageCount }, (_, index) => [
    `images/picture-${index}.png`,
    { bytes: 500_000 },
  ]);
  return {
    'docs.json': JSON.stringify({ name: 'Bench', navigation: { groups } }, null, 2),
    ...Object.fromEntries(images),
    ...Object.fromEntries(
      pages.flatMap((text, index) => (text === '' ? [] : [[`${nameOf(index)}.mdx`, text]])),
    ),
  };
}

/** Deletes a page, takes a heading away, and edits the others. */
function change(pages: readonly string[]): readonly string[] {
  return pages.map((text, index) => {
    if (index === 0) {
      return '';
    }
    return index === 1
      ? text.replace('## Part 1 of page 1\n', 'A heading was here.\n')
      : index < changedPages
        ? text.replace('Two begins here.', 'Another sentence begins here.')
        : text;
  });
}
