import { code, link } from '../../text/markdown.ts';
import { listed } from '../../text/plain.ts';
import type { JudgedFinding } from '../old-finding.ts';
import type { Judgement } from '../old-judgement.ts';
import { nameOf } from '../target.ts';
import type { Verdict } from '../verdict.ts';
import { findingsSection, gapsSection } from './findings.ts';
import type { Place } from './links.ts';
import { many } from './messages.ts';
import { fitSections } from './section.ts';
import { navigationSection, pagesSection, vanishedSection } from './sections.ts';

/** GitHub drops a summary of more than 1 MiB. A character has up to four bytes. */
const maxSummaryLength = 250_000;

/** What the reports need besides the judgement. */
export interface ReportContext {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** Link to this run's page; empty outside a run. */
  readonly runUrl: string;
}

/** The report for people, in Markdown: the verdict, and what it rests on. */
export interface Report {
  readonly summary: string;
  /** The same for a comment of at most that many characters. */
  readonly commentWithin: (maxLength: number) => string;
}

/** Renders both reports of a pull request. They differ in their length only. */
export function renderReport(judgement: Judgement, context: ReportContext): Report {
  const { target, headSha, change } = judgement;
  const { serverUrl } = context;
  const place: Place = { serverUrl, target, headSha, files: change.after.tree };
  const sections = [
    findingsSection('What blocks', 'block', judgement, place),
    vanishedSection(judgement, place),
    navigationSection(judgement),
    pagesSection(judgement, place),
    findingsSection('To review', 'review', judgement, place),
    gapsSection(judgement, place),
  ];
  const render = (maxLength: number, elsewhere: string): string => {
    const [head, foot] = [headOf(judgement, place), footOf(judgement, context)];
    const room = maxLength - head.length - foot.length;
    return `${head}${fitSections(sections, room, elsewhere)}${foot}`;
  };
  const run = context.runUrl === '' ? 'the run' : link('this run', context.runUrl);
  return {
    summary: render(maxSummaryLength, 'in the outputs, and in the pull request itself'),
    commentWithin: (maxLength) => render(maxLength, `in the summary of ${run}`),
  };
}

const headings: Readonly<Record<Verdict, string>> = {
  routine: '✅ Routine',
  review: '👀 Needs a review',
  blocked: '⛔ Blocked',
};

function headOf(judgement: Judgement, { serverUrl, target }: Place): string {
  const { verdict, previewLink } = judgement;
  const url = `${serverUrl}/${target.repository}/pull/${target.number}`;
  const preview = previewLink === '' ? '' : ` · ${link('preview', previewLink)}`;
  // A repository can have several docs, each with a report of its own in the same comment.
  const { root } = judgement.change.after.site;
  const docs = root === '' ? '' : `, docs in ${code(root)}`;
  return `### ${headings[verdict]}\n\n${link(nameOf(target), url)}${docs}: ${sentenceOf(judgement)}${preview}\n\n`;
}

function sentenceOf({ verdict, findings, gaps, changedFiles, pages }: Judgement): string {
  const size = `${many(changedFiles, 'file')}, ${many(pages.length, 'page')}`;
  const count = (severity: JudgedFinding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const counts = listed([
    ...(count('block') === 0 ? [] : [many(count('block'), 'finding')]),
    ...(count('review') === 0 ? [] : [`${many(count('review'), 'point')} to look at`]),
    ...(gaps.length === 0 ? [] : [`${many(gaps.length, 'part')} not judged`]),
  ]);
  switch (verdict) {
    case 'routine':
      return `nothing unusual in its form (${size}).`;
    case 'review':
      return `${counts} (${size}).`;
    case 'blocked':
      return `do not merge it as it is: ${counts} (${size}).`;
  }
}

function footOf(judgement: Judgement, { runUrl }: ReportContext): string {
  const run = runUrl === '' ? '' : `, in ${link('this run', runUrl)}`;
  const form = `The form of commit ${code(judgement.headSha.slice(0, 12))} was judged${run}. Whether the text is right, only a reader can tell.`;
  return `<sub>${[form, ...remarksOn(judgement)].join(' ')}</sub>\n`;
}

/** What the verdict does not rest on. */
function remarksOn({ readers, pendingChecks, pagesWithoutHistory }: Judgement): readonly string[] {
  const names = pendingChecks.slice(0, mostChecks).map((name) => code(name, 60));
  return [
    ...(names.length === 0 ? [] : [`Not finished when this was judged: ${listed(names)}.`]),
    ...(pagesWithoutHistory === 0
      ? []
      : [`The history of ${many(pagesWithoutHistory, 'page')} was not compared.`]),
    ...(readers.kind === 'unknown'
      ? ['How many people read the pages is not known; the log says why.']
      : []),
  ];
}

/** Vendors report one or two. */
const mostChecks = 5;
