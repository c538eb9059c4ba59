import { threadName } from '../../github/names.ts';
import type { Environment } from '../../runner/environment.ts';
import { code, link, ownLink } from '../../text/markdown.ts';
import { grouped } from '../../text/number.ts';
import { counted, listed } from '../../text/plain.ts';
import { sha256 } from '../../text/sha256.ts';
import type { ChangedFile } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import {
  type Finding,
  maxPlaces,
  type Place,
  type RuleSettings,
  type Severity,
} from '../finding.ts';
import type { Judgement } from '../judgement.ts';
import { markdownOf, maxQuoteLength } from '../sentence.ts';

/**
 * Renders the report for people, in Markdown: the verdict, and what it rests on. It fits into the summary
 * and into a comment.
 */
export function renderReport(
  judged: Judgement,
  { serverUrl, runUrl }: Pick<Environment, 'serverUrl' | 'runUrl'>,
): string {
  const judgement = { ...judged, repositoryUrl: `${serverUrl}/${judged.target.repository}` };
  const sections = [
    findingsSection('What blocks the merge', 'block', judgement),
    findingsSection('To review', 'review', judgement),
    pagesSection(judgement),
    otherFilesSection(judgement),
  ];
  const head = headOf(judgement);
  const foot = footOf(judgement, runUrl);
  return `${head}${fitted(sections, maxLength - head.length - foot.length)}${foot}`;
}

/** A judgement, and the repository that its links lead to. */
interface Linked extends Judgement {
  readonly repositoryUrl: string;
}

const headings = {
  passed: '✅ Passed',
  review: '👀 Needs a review',
  blocked: '⛔ Blocked',
} as const;

function headOf(judgement: Linked): string {
  const { target, headSha, verdict, change, repositoryUrl } = judgement;
  const { root } = change.after.site;
  const pull = link(threadName(target), `${repositoryUrl}/pull/${target.number}`);
  const facts = [
    `Commit ${code(headSha.slice(0, 12))}`,
    root === '' ? '' : `docs in ${code(root)}`,
  ];
  return `### ${headings[verdict]}\n\n${pull} ${verdictClause(judgement)}.\n\n${joined(facts)}\n\n`;
}

/** The verdict on the pull request, in plain text that still has to be escaped: it names the repository. */
export function verdictMessage(judgement: Judgement): string {
  return `${threadName(judgement.target)} ${verdictClause(judgement)}.`;
}

/** A clause that quotes nothing of the pull request, such as `passed: …`. The pull request is its subject. */
function verdictClause(judgement: Judgement): string {
  const { verdict, findings, rules } = judgement;
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const others = findings.filter(({ severity }) => severity === 'review');
  switch (verdict) {
    case 'passed':
      return `passed${withRulesOff(rules)}: ${whatIsNew(judgement)}`;
    case 'review':
      return `needs a review because of ${countedByRule(others)}`;
    case 'blocked': {
      const more = counted(others.length, 'more finding needs', 'more findings need');
      const review = others.length === 0 ? '' : `, and ${more} a review`;
      return `is blocked by ${countedByRule(blocking)}${review}: change the pull request`;
    }
  }
}

/** Such as `42 lines on 3 pages are new, and nobody has checked them`. */
function whatIsNew({ addedLines, pages }: Judgement): string {
  const count = pages.filter(({ additions }) => additions > 0).length;
  if (addedLines === 0) {
    return 'no line of a page is new';
  }
  const [are, them] = addedLines === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${counted(addedLines, 'line')} on ${counted(count, 'page')} ${are} new, and nobody has checked ${them}`;
}

/** Names the rules that are off, because a verdict without them says less. */
function withRulesOff(rules: RuleSettings): string {
  const off = [...rules].filter(([, severity]) => severity === 'off').map(([rule]) => rule);
  return off.length === 0 ? '' : ` with ${listed(off)} switched off`;
}

/** Such as `3 findings (gone and api-changed)`. */
function countedByRule(findings: readonly Finding[]): string {
  const rules = new Set(findings.map(({ rule }) => rule));
  return `${counted(findings.length, 'finding')} (${listed([...rules])})`;
}

function footOf({ verdict, rules }: Judgement, runUrl: string): string {
  const remarks = [
    `The check${verdict === 'passed' ? '' : withRulesOff(rules)} says what breaks, and which facts are gone. Whether the text is true, it cannot know.`,
    runUrl === '' ? '' : `Judged in ${ownLink('this run', runUrl)}.`,
  ];
  return `<sub>${joined(remarks, ' ')}</sub>\n`;
}

/** Joins the facts that are not empty. */
function joined(facts: readonly string[], separator = ' · '): string {
  return facts.filter((fact) => fact !== '').join(separator);
}

/** A list or a table under a heading. A section without rows is not shown. */
interface Section {
  readonly title: string;
  /** The lines above the rows. */
  readonly head?: readonly string[];
  /** List items or rows of a table, in Markdown, without line ends. The report counts those that do not fit in. */
  readonly rows: readonly string[];
}

/**
 * GitHub refuses a comment of more than 65,536 characters. What is above this limit is for the marker, the
 * headings of the sections, and the lines that say how much they leave out.
 */
const maxLength = 64_000;

/** Nobody reads more rows of one section. */
const maxRows = 100;

/** Shows the rows of each section that there is room for, and says how many more there are. */
function fitted(sections: readonly Section[], room: number): string {
  let left = room;
  const fits = (row: string): boolean => {
    const length = row.length + '\n'.length;
    const isShown = length <= left;
    left -= isShown ? length : 0;
    return isShown;
  };
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, head = [], rows }) => {
      const shown = rows.slice(0, maxRows).filter(fits);
      const rest = rows.length - shown.length;
      const more = rest === 0 ? [] : ['', `… and ${grouped(rest)} more`];
      const lines = shown.length === 0 ? [] : [...head, ...shown];
      return `${[`#### ${title}`, '', ...lines, ...more].join('\n')}\n\n`;
    })
    .join('');
}

function findingsSection(title: string, severity: Severity, judgement: Linked): Section {
  const rows = judgement.findings
    .filter((finding) => finding.severity === severity)
    .map((finding) => [
      `${markdownOf(finding.what)} <sub>${finding.rule}</sub>`,
      placesCell(finding, judgement),
      versionsCell(finding),
    ]);
  const hasVersions = rows.some(([, , versions]) => versions !== '');
  const header = ['What', 'Where', ...(hasVersions ? ['Before → after'] : [])];
  const lineOf = (cells: readonly string[]) => `| ${cells.slice(0, header.length).join(' | ')} |`;
  return { title, head: [header, header.map(() => '---')].map(lineOf), rows: rows.map(lineOf) };
}

function placesCell({ places }: Finding, judgement: Linked): string {
  const links = places
    .slice(0, maxPlaces)
    .map((place) => (place.file === '' ? 'the pull request' : placeLink(place, judgement)));
  const rest = places.length - links.length;
  return joined([...links, rest > 0 ? `and ${rest} more` : ''], '<br>');
}

function versionsCell({ before, after }: Finding): string {
  if (before === undefined && after === undefined) {
    return '';
  }
  const now = `→ ${after ? linesOf(after) : '—'}`;
  return before === undefined ? now : `${linesOf(before)}<br>${now}`;
}

/** People who need more lines of a text read the file. */
const maxLines = 6;

function linesOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const shown = lines.slice(0, maxLines).map((line) => code(line, maxQuoteLength));
  const rest = lines.length - shown.length;
  return joined([...shown, rest > 0 ? `and ${counted(rest, 'more line')}` : ''], '<br>');
}

/** The pages and snippets, each with a link to what changed in it. */
function pagesSection(judgement: Linked): Section {
  const rows = judgement.pages.map((file) => fileLine(file, judgement));
  // If the verdict is `passed`, the first line of the report says this already.
  const head = judgement.verdict === 'passed' ? [] : [`In all, ${whatIsNew(judgement)}.`, ''];
  return { title: 'New text', head, rows };
}

function otherFilesSection(judgement: Linked): Section {
  const pages = new Set(judgement.pages);
  const others = judgement.change.files.filter((file) => !pages.has(file));
  return { title: 'Other files', rows: others.map((file) => fileLine(file, judgement)) };
}

function fileLine(changed: ChangedFile, judgement: Linked): string {
  const { path, previousPath, status, additions, deletions } = changed;
  const { after } = judgement.change;
  const kind = kindOf(path, after.site);
  const file = link(path, diffOf(path, judgement));
  const facts = [
    previousPath === undefined ? file : `${code(previousPath)} → ${file}`,
    { added: 'new', deleted: 'deleted', renamed: 'moved', modified: '' }[status],
    kind === 'picture' ? '' : `+${grouped(additions)} −${grouped(deletions)}`,
  ];
  return `- ${joined(facts)}`;
}

/** Links to a line of a file after the change, labelled `path:line`. Without a line, links to what changed in it. */
function placeLink({ file, line }: Place, judgement: Linked): string {
  const { headSha, change, repositoryUrl } = judgement;
  if (line === undefined && change.files.some(({ path }) => path === file)) {
    return link(file, diffOf(file, judgement));
  }
  const label = line === undefined ? file : `${file}:${line}`;
  const parts = file.toWellFormed().split('/').map(encodeURIComponent);
  // Without `plain=1`, GitHub renders Markdown, in which the link finds no line.
  const place = line === undefined ? '' : `?plain=1#L${line}`;
  return link(label, `${repositoryUrl}/blob/${headSha}/${parts.join('/')}${place}`);
}

/** The address of both versions of a file, among the changed files on GitHub. */
function diffOf(path: string, { target, repositoryUrl }: Linked): string {
  const anchor = sha256(path);
  return `${repositoryUrl}/pull/${target.number}/files#diff-${anchor}`;
}
