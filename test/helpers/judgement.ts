import type { Finding, Versions } from '../../src/check/finding.ts';
import { type Judgement, judgementOf as judge } from '../../src/check/judgement.ts';
import { type Sentence, say } from '../../src/check/sentence.ts';
import { type ChangeParts, changeOf } from './change.ts';

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
  const severity = ['not-valid', 'dead-address', 'broken-link'].includes(rule) ? 'block' : 'review';
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
    previewLink: '',
    ...others,
  });
}
