import { grouped } from '../../text/number.ts';
import { listed, quoted } from '../../text/plain.ts';
import type { Change, Tree } from '../change.ts';
import type { Gap, JudgedFinding } from '../old-finding.ts';
import type { Judgement } from '../old-judgement.ts';
import type { Result } from '../result.ts';
import { nameOf } from '../target.ts';
import { findingsJson, pagesJson } from './json.ts';

/** How many rules and files a sentence names. */
const mostNamed = 3;

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result): string {
  switch (result.result) {
    case 'judged':
      return `${nameOf(result.judgement.target)} ${verdictWords(result.judgement)}.`;
    case 'cancelled':
      return 'The run was cancelled before there was a verdict.';
    case 'skipped':
      return result.message;
    case 'error':
      return result.reason === 'internal-error'
        ? `This action hit an internal error (${result.errorName}): run it again with debug logging enabled, and report what the log says.`
        : result.message;
  }
}

/** The verdict and what it rests on, after the name of the pull request. Plain text. */
export function verdictWords(judgement: Judgement): string {
  const { verdict, findings, gaps, change, changedFiles } = judgement;
  switch (verdict) {
    case 'routine':
      return `is routine: there are no findings in ${many(changedFiles, 'file')}`;
    case 'review':
      return `needs a review: ${reviewWords(judgement)}`;
    case 'blocked': {
      const blocking = findings.filter(({ severity }) => severity === 'block');
      const rest = findings.length - blocking.length + gaps.length;
      const more = rest === 0 ? '' : `, and ${many(rest, 'more point')} to review`;
      return `is blocked by ${many(blocking.length, 'finding')} (${namesOf(blocking)})${more}: ${adviceOn(blocking, change)}`;
    }
  }
}

/** What can be done about findings that block. */
function adviceOn(blocking: readonly JudgedFinding[], { after }: Change): string {
  const allowable = blocking.filter((finding) => canBeAllowed(finding, after.tree));
  const ways = [
    'change the pull request',
    ...(allowable.length === 0
      ? []
      : [
          'name what it may change in the input allowed-paths (a file that runs by its extension, such as tools/*.py)',
        ]),
    ...(allowable.length === blocking.length
      ? []
      : ['set a rule that should not block to review or off in the input rules']),
  ];
  return ways.join(', or ');
}

/** No glob allows a file that decides over this check, or a link or program in place of a file. */
function canBeAllowed({ rule, file }: JudgedFinding, tree: Tree): boolean {
  const kind = tree.get(file)?.kind ?? 'file';
  return rule === 'unexpected-file' && kind === 'file' && !/^\.github\//i.test(file);
}

function reviewWords({ findings, gaps }: Judgement): string {
  const found =
    findings.length === 0 ? [] : [`${many(findings.length, 'finding')} (${namesOf(findings)})`];
  const [first] = gaps;
  const gap = first === undefined ? '' : ` (${gapWords(first)})`;
  const open =
    gaps.length === 0 ? [] : [`${many(gaps.length, 'part')} that could not be judged${gap}`];
  return listed([...found, ...open]);
}

/** Such as `guides/setup.mdx:12: the page is not valid MDX`. */
function gapWords({ file, line, what }: Gap): string {
  const place = line === undefined ? '' : `:${line}`;
  return file === '' ? what : `${pathWords(file)}${place}: ${what}`;
}

/** Such as `sample-changed in guides/setup.mdx (3 times) and 2 more`. */
function namesOf(findings: readonly JudgedFinding[]): string {
  const counts = new Map<string, number>();
  for (const { rule, file } of findings) {
    const name = file === '' ? rule : `${rule} in ${pathWords(file)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].slice(0, mostNamed);
  const rest = named.reduce((left, [, count]) => left - count, findings.length);
  return listed([
    ...named.map(([name, count]) => (count === 1 ? name : `${name} (${grouped(count)} times)`)),
    ...(rest > 0 ? [`${grouped(rest)} more`] : []),
  ]);
}

/** A path in a sentence: in quotes, if it could be taken for a part of the sentence. */
export function pathWords(path: string): string {
  return /^[\w./@+-]{1,80}$/.test(path) ? path : quoted(path);
}

/** What the outputs leave out, as sentences for the log. */
export function notesOn(judgement: Judgement): readonly string[] {
  const lists = [
    { name: 'findings', leftOut: findingsJson(judgement).leftOut },
    { name: 'pages', leftOut: pagesJson(judgement).leftOut },
  ];
  return lists
    .filter(({ leftOut }) => leftOut > 0)
    .map(
      ({ name, leftOut }) =>
        `The output ${name} leaves out ${leftOut === 1 ? 'one entry' : `${grouped(leftOut)} entries`}, because it would be too long.`,
    );
}

/** `1 page`, `12,345 pages`. */
export function many(count: number, singular: string): string {
  return `${grouped(count)} ${count === 1 ? singular : `${singular}s`}`;
}
