import { createHash } from 'node:crypto';
import type {
  Change,
  ChangedFile,
  DocsVersion,
  EarlierChange,
  Tree,
  TreeEntry,
  VendorCheck,
} from '../../src/check/change.ts';
import { parsePage } from '../../src/check/docs/parse-page.ts';
import { readSite } from '../../src/check/docs/read-site.ts';
import type { JudgedFinding, RuleName } from '../../src/check/old-finding.ts';
import { type Difference, differencesOf } from '../../src/check/reading/differences.ts';
import { countLines } from '../../src/check/reading/line-counts.ts';
import { isParsedPath } from '../../src/check/reading/paths.ts';
import { withRenames } from '../../src/check/reading/renames.ts';
import { judge } from '../../src/check/rules/rules.ts';

/** The files of a version, by path in the repository. */
export type Texts = Readonly<Record<string, string>>;

export interface ChangeParts {
  readonly before: Texts;
  readonly after: Texts;
  readonly earlier?: readonly EarlierChange[];
  readonly checks?: {
    readonly before: readonly VendorCheck[];
    readonly after: readonly VendorCheck[];
  };
  readonly knownDomains?: readonly string[];
  readonly knownTexts?: readonly string[];
  readonly base?: Change['base'];
  readonly allowedPaths?: readonly string[];
  /** Of files that are no plain ones after the change. */
  readonly kinds?: Readonly<Record<string, TreeEntry['kind']>>;
  /** Path of docs.json in both versions; it is made from the pages if the texts have none. */
  readonly settings?: string;
}

/** A change as the reader would give it to the rules, with all pages parsed. */
export function changeOf(parts: ChangeParts): Change {
  const settings = parts.settings ?? 'docs.json';
  const before = withSettings(parts.before, settings);
  const after = withSettings(parts.after, settings);
  const trees = [treeOf(before, {}), treeOf(after, parts.kinds ?? {})] as const;
  const texts = new Map(
    [...Object.values(before), ...Object.values(after)].map((text) => [shaOf(text), text]),
  );
  const differences = withRenames(differencesOf(...trees, true), (sha) => texts.get(sha));
  return {
    files: differences.map((difference) => changedFile(difference, before, after)),
    before: versionOf(before, trees[0], settings),
    after: versionOf(after, trees[1], settings),
    earlier: parts.earlier ?? [],
    checks: parts.checks ?? { before: [], after: [] },
    knownDomains: new Set(parts.knownDomains),
    knownTexts: new Set(parts.knownTexts),
    base: { branch: 'main', defaultBranch: 'main', ...parts.base },
    allowedPaths: parts.allowedPaths ?? [],
  };
}

/** The findings of one rule; of all rules without a name. */
export function findingsOf(parts: ChangeParts, rule?: RuleName): readonly JudgedFinding[] {
  return judge(changeOf(parts), new Map()).filter((one) => rule === undefined || one.rule === rule);
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
      { sha: shaOf(text), kind: kinds[path] ?? 'file', bytes: Buffer.byteLength(text) },
    ]),
  );
}

function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function versionOf(texts: Texts, tree: Tree, settings: string): DocsVersion {
  const pages = Object.entries(texts).filter(([path]) => isParsedPath(path));
  return {
    tree,
    site: readSite(settings, new Map(Object.entries(texts))).site,
    pages: new Map(pages.map(([path, text]) => [path, parsePage(text, path)])),
  };
}

function changedFile(difference: Difference, before: Texts, after: Texts): ChangedFile {
  const { path, previousPath } = difference;
  const was = difference.before === undefined ? undefined : before[previousPath ?? path];
  const is = difference.after === undefined ? undefined : after[path];
  return {
    path,
    ...(previousPath === undefined ? {} : { previousPath }),
    status: statusOf(difference),
    before: was,
    after: is,
    ...countLines(was ?? '', is ?? ''),
  };
}

function statusOf({ previousPath, before, after }: Difference): ChangedFile['status'] {
  if (previousPath !== undefined) {
    return 'renamed';
  }
  return before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
}
