import { createHash } from 'node:crypto';
import type { Change, ChangedFile, DocsVersion, Tree, TreeEntry } from '../../src/check/change.ts';
import { createApiReader } from '../../src/check/docs/api.ts';
import { isPagePath, kindOf } from '../../src/check/docs/kinds.ts';
import { readSite } from '../../src/check/docs/site.ts';
import {
  defaultSeverities,
  type Finding,
  type RuleFinding,
  type RuleName,
  type Versions,
} from '../../src/check/finding.ts';
import { type Judgement, judgementOf as judge } from '../../src/check/judgement.ts';
import { componentsIn, parserOf } from '../../src/check/reading/assemble.ts';
import { judgeChange } from '../../src/check/rules/rules.ts';
import { plainOf, type Sentence, say } from '../../src/check/sentence.ts';

/** The files of a version, by path in the repository. */
export type Texts = Readonly<Record<string, string>>;

export interface ChangeParts {
  readonly before: Texts;
  readonly after: Texts;
  readonly allowedPaths?: readonly string[];
  /** Of files that are no plain ones after the change. */
  readonly kinds?: Readonly<Record<string, TreeEntry['kind']>>;
  /** Path of docs.json in both versions; it is made from the pages if the texts have none. */
  readonly settings?: string;
}

/** A change as the reader gives it to the rules, with all pages parsed. */
export function changeOf(parts: ChangeParts): Change {
  const settings = parts.settings ?? 'docs.json';
  const before = withSettings(parts.before, settings);
  const after = withSettings(parts.after, settings);
  const pages = Object.entries(before).filter(([path]) => isPagePath(path));
  return {
    files: filesOf(before, after),
    before: versionOf(before, {}, settings),
    after: versionOf(after, parts.kinds ?? {}, settings),
    knownComponents: componentsIn(pages.map(([, text]) => text)),
    copies: new Map(),
    unread: [],
    allowedPaths: parts.allowedPaths ?? [],
  };
}

/** The files that differ. One that is deleted, and a new one with the same text, is one that moved. */
function filesOf(before: Texts, after: Texts): readonly ChangedFile[] {
  const gone = Object.keys(before).filter((path) => after[path] === undefined);
  const sources = new Map<string, string>();
  for (const path of Object.keys(after).filter((one) => before[one] === undefined)) {
    const from = gone.findIndex((one) => before[one] === after[path]);
    const [previousPath] = from === -1 ? [] : gone.splice(from, 1);
    if (previousPath !== undefined) {
      sources.set(path, previousPath);
    }
  }
  return [...new Set([...gone, ...Object.keys(after)])].sort().flatMap((path) => {
    const previousPath = sources.get(path);
    const [was, is] = [before[previousPath ?? path], after[path]];
    if (was === is && previousPath === undefined) {
      return [];
    }
    const status = was === undefined ? 'added' : is === undefined ? 'deleted' : 'modified';
    const moved = { status: 'renamed', previousPath: previousPath ?? '' } as const;
    const how = previousPath === undefined ? ({ status } as const) : moved;
    return [{ path, ...how, ...countLines(was, is) }];
  });
}

/** Lines are counted without regard to their order, which is close enough to git. */
function countLines(was = '', is = ''): Pick<ChangedFile, 'additions' | 'deletions'> {
  const [old, now] = [was, is].map((text) => text.split('\n').filter((line) => line !== ''));
  const left = Map.groupBy(old ?? [], (line) => line);
  const shared = (now ?? []).filter((line) => left.get(line)?.pop() !== undefined).length;
  return { additions: (now?.length ?? 0) - shared, deletions: (old?.length ?? 0) - shared };
}

function versionOf(
  texts: Texts,
  kinds: Readonly<Record<string, TreeEntry['kind']>>,
  settings: string,
): DocsVersion {
  const tree = treeOf(texts, kinds);
  const site = readSite(settings, new Map(Object.entries(texts)));
  const parse = <Parsed>(
    isOne: (path: string) => boolean,
    parser: (text: string, path: string) => Parsed,
  ) => {
    const files = Object.entries(texts).filter(([path]) => isOne(path));
    return new Map(files.map(([path, text]) => [path, parser(text, path)]));
  };
  const pages = parse(isPagePath, parserOf(site));
  const apis = parse((path) => kindOf(path, site) === 'data', createApiReader());
  return { tree, site, pages, apis };
}

/** The findings of one rule; of all rules without a name. */
export function findingsOf(parts: ChangeParts, rule?: RuleName): readonly Finding[] {
  return judgeChange(changeOf(parts), new Map()).filter(
    (one) => rule === undefined || one.rule === rule,
  );
}

/** A finding in a line: its rule, where it is, and its sentence as people read it. */
export function describeFinding({ rule, what, places }: RuleFinding): string {
  const files = places.map(({ file, line }) => `${file}${line === undefined ? '' : `:${line}`}`);
  return `${rule} @ ${files.join(' ')}: ${plainOf(what)}`;
}

/** The findings of one rule, or of all, each in a line. */
export function rowsOf(parts: ChangeParts, rule?: RuleName): readonly string[] {
  return findingsOf(parts, rule).map(describeFinding);
}

/** Settings of a site whose navigation names these pages and groups. */
export function docsJson(
  pages: readonly unknown[],
  others: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({ name: 'Docs', navigation: { pages }, ...others }, undefined, 2);
}

/** A page with front matter. */
export function page(
  body: string,
  frontMatter = 'title: A page\ndescription: What it says',
): string {
  return `---\n${frontMatter}\n---\n\n${body}\n`;
}

function withSettings(texts: Texts, settings: string): Texts {
  if (texts[settings] !== undefined) {
    return texts;
  }
  const pages = Object.keys(texts).filter(
    (path) => path.endsWith('.mdx') && !path.startsWith('snippets/'),
  );
  return { ...texts, [settings]: docsJson(pages.map((path) => path.slice(0, -'.mdx'.length))) };
}

function treeOf(texts: Texts, kinds: Readonly<Record<string, TreeEntry['kind']>>): Tree {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { path, sha: shaOf(text), kind: kinds[path] ?? 'file', bytes: Buffer.byteLength(text) },
    ]),
  );
}

function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

export const headSha = 'a695ea6c802213425643307d8df5e18909a6730b';

/** Where the reports of tests lead. */
export const context = {
  serverUrl: 'https://github.example',
  runUrl: 'https://github.example/acme/docs/actions/runs/1001',
};

/** What the rules would find. @param places such as `guides/setup.mdx:12`, or empty for the pull request */
export function findingOf(
  rule: Finding['rule'],
  what: Sentence,
  places: readonly [string, ...(readonly string[])] = ['guides/setup.mdx:12'],
  versions: Versions = {},
): Finding {
  const severity = defaultSeverities[rule];
  const [first, ...others] = places;
  return { rule, severity, what, ...versions, places: [placeOf(first), ...others.map(placeOf)] };
}

/** A value that changed in these places. */
export function factOf(before: string, after: string, ...places: readonly string[]): Finding {
  const [first = 'guides/setup.mdx:12', ...others] = places;
  const what = say`A setting changed.`;
  return findingOf('settings-changed', what, [first, ...others], { before, after });
}

/** A page that is gone. */
export function goneOf(address: string, file = 'guides/setup.mdx:12'): Finding {
  return findingOf('dead-address', say`${address} is gone and leads nowhere: add a redirect.`, [
    file,
  ]);
}

function placeOf(text: string): Finding['places'][0] {
  const [, file = '', line] = /^(.*?)(?::(\d+))?$/s.exec(text) ?? [];
  return { file, ...(line !== undefined && { line: Number(line) }) };
}

/** A change with these findings, and the verdict that follows from them. */
export function judgementOf(
  findings: readonly Finding[],
  others: Partial<Parameters<typeof judge>[0]> = {},
  parts: ChangeParts = { before: {}, after: {} },
): Judgement {
  const change = others.change ?? changeOf(parts);
  return judge({
    target: { repository: 'acme/docs', number: 12 },
    headSha,
    findings,
    rules: new Map(),
    change,
    changedFiles: change.files.length,
    ...others,
  });
}

/** Rows with up to four cells, one in a line: `⏎` stands for a line break. */
export const table = (text: string) =>
  text
    .trim()
    .split(/\n\s*/u)
    .map((line): readonly [string, string, string, string] => {
      const cells = line.split(/ ⇒ ?/u).map((cell) => cell.replaceAll('⏎', '\n'));
      const [one = '', two = '', three = '', four = ''] = cells;
      return [one, two, three, four];
    });
