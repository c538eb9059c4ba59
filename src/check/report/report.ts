import { createHash } from 'node:crypto';
import { code, fenced, link, ownLink } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import { counted, listed } from '../../text/plain.ts';
import { kindOf } from '../docs/kinds.ts';
import { pageName } from '../docs/site.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { Judgement, TouchedPage } from '../judgement.ts';
import { markdownOf, maxQuoteLength } from '../sentence.ts';
import { nameOf, type Target } from '../target.ts';
import { routineMessage } from './messages.ts';
import { navigationChange } from './navigation.ts';

/** What the reports need besides the judgement. */
export interface ReportContext {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** Link to this run's page; empty outside a run. */
  readonly runUrl: string;
}

/** GitHub refuses a comment of more than 65,536 characters; the rest is for the marker. */
const maxLength = 65_000;

/**
 * Renders the report for people, in Markdown: the verdict, and what it rests on. It fits into the summary
 * and into a comment.
 */
export function renderReport(judgement: Judgement, { serverUrl, runUrl }: ReportContext): string {
  const head = headOf(judgement, serverUrl);
  const foot = footOf(judgement, runUrl);
  const room = maxLength - head.length - foot.length;
  return `${head}${fitSections(sectionsOf(judgement, serverUrl), room)}${foot}`;
}

function headOf(judgement: Judgement, serverUrl: string): string {
  const { target, headSha, verdict, change, previewLink } = judgement;
  const headings: Readonly<Record<Verdict, string>> = {
    routine: '✅ Routine',
    review: '👀 Needs a review',
    blocked: '⛔ Blocked',
  };
  const { root } = change.after.site;
  const docs = root === '' ? '' : `, docs in ${code(root)}`;
  const preview = previewLink === '' ? '' : ` · ${ownLink('preview', previewLink)}`;
  const pull = link(nameOf(target), pullUrl(serverUrl, target));
  return `### ${headings[verdict]}\n\n${pull} at commit ${code(headSha.slice(0, 12))}${docs}: ${reasonOf(judgement)}.${preview}\n\n`;
}

function reasonOf(judgement: Judgement): string {
  const { findings, verdict } = judgement;
  const blocking = findings.filter(({ severity }) => severity === 'block').length;
  const others = findings.length - blocking;
  const alsoReview = others === 0 ? '' : `, and ${counted(others, 'needs', 'need')} a review`;
  switch (verdict) {
    case 'routine':
      return routineMessage(judgement);
    case 'review':
      return `${counted(others, 'finding needs', 'findings need')} a review`;
    case 'blocked':
      return `${counted(blocking, 'finding blocks', 'findings block')} the merge${alsoReview}`;
  }
}

/** What the verdict does not rest on. */
function footOf({ verdict, rulesOff, readers }: Judgement, runUrl: string): string {
  const remarks = [
    ...(runUrl === '' ? [] : [`Judged in ${ownLink('this run', runUrl)}.`]),
    ...(verdict === 'routine'
      ? []
      : ['The check judges the form; whether the text is true, only a reader can tell.']),
    ...(rulesOff.length === 0
      ? []
      : [`Switched off: ${listed(rulesOff.map((rule) => code(rule)))}.`]),
    ...(readers === 'unknown'
      ? ['How many people read the pages is not known; the log says why.']
      : []),
  ];
  return `<sub>${remarks.join(' ')}</sub>\n`;
}

/** A list or table under a heading. */
interface Section {
  readonly title: string;
  /** A line each. */
  readonly rows: readonly string[];
  /** Renders as many of the rows as there is room for. */
  readonly render: (rows: readonly string[]) => string;
}

const asLines = (rows: readonly string[]) => rows.join('\n');

function sectionsOf(judgement: Judgement, serverUrl: string): readonly Section[] {
  const { findings } = judgement;
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const others = findings.filter(({ severity }) => severity === 'review');
  return [
    findingsSection('What blocks the merge', blocking, judgement, serverUrl),
    findingsSection('To review', others, judgement, serverUrl),
    navigationSection(judgement),
    picturesSection(judgement, serverUrl),
    pagesSection(judgement, serverUrl),
  ];
}

function findingsSection(
  title: string,
  findings: readonly Finding[],
  judgement: Judgement,
  serverUrl: string,
): Section {
  const hasVersions = findings.some(({ before, after }) => (before ?? after) !== undefined);
  const header = ['What', 'Where', ...(hasVersions ? ['Before → after'] : [])];
  const rows = findings.map((finding) => [
    `${markdownOf(finding.what)} <sub>${finding.rule}</sub>`,
    placesOf(finding, judgement, serverUrl),
    ...(hasVersions ? [versionsOf(finding)] : []),
  ]);
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [header, header.map(() => '---')].map(lineOf);
  return { title, rows: rows.map(lineOf), render: (some) => [...head, ...some].join('\n') };
}

/** A change in a few languages is shown with all of its places. */
const maxPlaces = 6;

function placesOf({ places }: Finding, judgement: Judgement, serverUrl: string): string {
  const { visitors } = judgement.pages.find(({ path }) => path === places[0].file) ?? {};
  const links = places
    .slice(0, maxPlaces)
    .map(({ file, line }) =>
      file === '' ? 'the pull request' : fileLink(file, line, judgement, serverUrl),
    );
  const rest = places.length - links.length;
  const read = visitors === undefined ? '' : `<br>${grouped(visitors)} visitors`;
  return `${links.join('<br>')}${rest > 0 ? `<br>and ${rest} more` : ''}${read}`;
}

function versionsOf({ before, after }: Finding): string {
  if (before === undefined && after === undefined) {
    return '';
  }
  const now = `→ ${after === undefined || after === '' ? '—' : linesOf(after)}`;
  return before === undefined ? now : `${linesOf(before)}<br>${now}`;
}

/** Whoever has to see more lines opens the file. */
const maxLines = 6;

function linesOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const shown = lines.slice(0, maxLines).map((line) => code(line, maxQuoteLength));
  const rest = lines.length - shown.length;
  return `${shown.join('<br>')}${rest > 0 ? `<br>and ${counted(rest, 'more line')}` : ''}`;
}

function navigationSection({ change }: Judgement): Section {
  const { before, after } = change;
  // A navigation that cannot be read looks empty, and a finding says so.
  const isReadable = before.site.problems.length + after.site.problems.length === 0;
  const rows = isReadable ? navigationChange(before.site.navigation, after.site.navigation) : [];
  return { title: 'Navigation', rows, render: (some) => fenced('diff', some) };
}

/** GitHub shows both versions of a picture among the changed files. */
function picturesSection({ target, change }: Judgement, serverUrl: string): Section {
  const rows = change.files
    .filter(
      ({ path, status }) => status === 'modified' && kindOf(path, change.after.site) === 'media',
    )
    .map(({ path }) => {
      const anchor = createHash('sha256').update(path).digest('hex');
      return `- ${link(path, `${pullUrl(serverUrl, target)}/files#diff-${anchor}`)} (before and after)`;
    });
  return { title: 'Changed pictures', rows, render: asLines };
}

function pagesSection(judgement: Judgement, serverUrl: string): Section {
  const title = typeof judgement.readers === 'string' ? 'Pages' : 'Pages, most read first';
  const rows = judgement.pages.map((page) => pageLine(page, judgement, serverUrl));
  return { title, rows, render: asLines };
}

function pageLine(page: TouchedPage, judgement: Judgement, serverUrl: string): string {
  const { path, previousPath, status, additions, deletions, visitors } = page;
  const file = fileLink(path, undefined, judgement, serverUrl);
  const redirect = previousPath === undefined ? undefined : redirectFrom(previousPath, judgement);
  const facts = [
    previousPath === undefined ? file : `${code(previousPath)} → ${file}`,
    ...(status === 'modified'
      ? []
      : [{ added: 'new', deleted: 'deleted', renamed: 'moved' }[status]]),
    ...(redirect === undefined
      ? []
      : [`${code(redirect.source)} redirects to ${code(redirect.destination)}`]),
    `+${grouped(additions)} −${grouped(deletions)}`,
    ...(visitors === undefined ? [] : [`${grouped(visitors)} visitors in 30 days`]),
  ];
  return `- ${facts.join(' · ')}`;
}

/** The redirect that names the old address of a page; a pattern that matches it is not found. */
function redirectFrom(path: string, { change }: Judgement) {
  const { root, redirects } = change.after.site;
  const address = pageName(root === '' ? path : path.slice(root.length + 1));
  return redirects.find(({ source }) => pageName(source) === address);
}

/** Longer paths would push the other columns out of view. */
const maxLabelLength = 90;

/** The page of a pull request. @param serverUrl as in `GITHUB_SERVER_URL` */
function pullUrl(serverUrl: string, { repository, number }: Target): string {
  return `${serverUrl}/${repository}/pull/${number}`;
}

/** A link to a file as it is after the change, with `path:line` as its label; no link if it is gone. */
function fileLink(
  path: string,
  line: number | undefined,
  { target, headSha, change }: Pick<Judgement, 'target' | 'headSha' | 'change'>,
  serverUrl: string,
): string {
  // A path is best known by its end.
  const end = path.length <= maxLabelLength ? path : `…${path.slice(-maxLabelLength)}`;
  const label = line === undefined ? end : `${end}:${line}`;
  const parts = path.toWellFormed().split('/').map(encodeURIComponent);
  // Without `plain`, GitHub renders Markdown, and a line leads nowhere.
  const place = line === undefined ? '' : `?plain=1#L${line}`;
  const url = `${serverUrl}/${target.repository}/blob/${headSha}/${parts.join('/')}${place}`;
  return change.after.tree.has(path) ? link(label, url) : code(label, maxLabelLength + 10);
}

/** Nobody reads more of one kind. */
const maxRows = 100;

/** For the headings and the sentences about what is left out. */
const framesLength = 4000;

/** Shows of each section as many rows as there is room for, and says how many more there are. */
function fitSections(sections: readonly Section[], room: number): string {
  let left = room - framesLength;
  const fits = (row: string): boolean => {
    left -= row.length + '\n'.length;
    return left >= 0;
  };
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows, render }) => {
      const shown = rows.slice(0, maxRows).filter(fits);
      const rest = rows.length - shown.length;
      const parts = [
        `#### ${title}`,
        ...(shown.length === 0 ? [] : [render(shown)]),
        ...(rest === 0 ? [] : [`… and ${grouped(rest)} more`]),
      ];
      return `${parts.join('\n\n')}\n\n`;
    })
    .join('');
}
