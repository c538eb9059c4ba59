import type { Judgement } from '../../src/check/old-judgement.ts';
import { changedPageFiles, touchedPages } from '../../src/check/pages.ts';
import { gapsOf } from '../../src/check/rules/gaps.ts';
import { judge } from '../../src/check/rules/rules.ts';
import { verdictOf } from '../../src/check/verdict.ts';
import { type ChangeParts, changeOf } from './change.ts';

export const headSha = 'a695ea6c802213425643307d8df5e18909a6730b';

/** Where the reports of tests lead. */
export const context = {
  serverUrl: 'https://github.example',
  runUrl: 'https://github.example/acme/docs/actions/runs/1001',
};

/** A change, judged by all rules as a run does it. */
export function judgementOf(parts: ChangeParts, others: Partial<Judgement> = {}): Judgement {
  const change = changeOf(parts);
  const findings = others.findings ?? judge(change, new Map());
  const gaps = others.gaps ?? gapsOf(change);
  const readers = others.readers ?? { kind: 'off' };
  return {
    target: { repository: 'acme/docs', number: 12 },
    headSha,
    verdict: verdictOf(findings, gaps),
    findings,
    gaps,
    change,
    changedFiles: change.files.length,
    pages: touchedPages(changedPageFiles(change), readers),
    previewLink: '',
    readers,
    pendingChecks: [],
    pagesWithoutHistory: 0,
    ...others,
  };
}
