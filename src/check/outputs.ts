import type { OutputTable } from '../runner/outputs.ts';
import { findingsJson, pagesJson } from './report/json.ts';
import type { State } from './state.ts';

/** The value of each output in check/action.yml, as a function of the state. */
export const outputs = {
  verdict: ({ judgement }) => judgement?.verdict,
  findings: ({ judgement }) => judgement && { json: findingsJson(judgement).json },
  pages: ({ judgement }) => judgement && { json: pagesJson(judgement).json },
  'preview-link': ({ previewLink }) => previewLink,
  'head-sha': ({ headSha }) => headSha,
  'changed-files': ({ changedFiles }) =>
    changedFiles === undefined ? undefined : String(changedFiles),
  result: ({ end }) => end?.result.result,
  reason: ({ end }) => (end && 'reason' in end.result ? end.result.reason : ''),
  message: ({ end }) => end?.message,
} as const satisfies OutputTable<State>;
