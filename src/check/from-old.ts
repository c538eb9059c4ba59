import type { Finding, RuleName } from './finding.ts';
import type { Judgement } from './judgement.ts';
import type { JudgedFinding } from './old-finding.ts';
import type { Judgement as OldJudgement } from './old-judgement.ts';

/** What the old rules found, in the shape of the new ones: a bridge until these are there. */
export function fromOld(old: OldJudgement): Judgement {
  const { target, headSha, verdict, change, changedFiles, pages, previewLink, readers } = old;
  return {
    ...{ target, headSha, verdict, change, changedFiles, pages, previewLink, readers },
    findings: [
      ...old.findings.map(findingOf),
      ...old.gaps.map(({ file, line, what }) => ({
        rule: 'not-judged' as const,
        severity: 'review' as const,
        places: [{ file, ...(line !== undefined && { line }) }] as const,
        event: { kind: 'not-judged', problem: what } as const,
      })),
    ],
    rulesOff: [],
    lookedAt: {
      pages: pages.length,
      newPages: pages.filter(({ status }) => status === 'added').length,
      samples: 0,
      links: 0,
      pictures: [],
      navigationEntries: 0,
      redirects: 0,
      apiFiles: 0,
      otherFiles: 0,
    },
  };
}

function findingOf({ rule, severity, file, line, what, was }: JudgedFinding): Finding {
  const named = names.get(rule) ?? 'not-plain';
  return {
    rule: named,
    severity,
    places: [{ file, ...(line !== undefined && { line }) }],
    event: {
      kind: 'not-plain',
      what: 'file',
      text: what,
      ...(was !== undefined && { before: was }),
    },
  };
}

const names: ReadonlyMap<string, RuleName> = new Map([
  ['page-without-redirect', 'dead-address'],
  ['navigation-without-page', 'broken-link'],
  ['still-used', 'broken-link'],
  ['broken-link', 'broken-link'],
  ['broken-anchor', 'broken-link'],
  ['text-lost', 'removed'],
  ['sample-changed', 'sample-changed'],
  ['api-changed', 'api-changed'],
  ['navigation-changed', 'navigation-changed'],
  ['settings-changed', 'settings-changed'],
]);
