import fc from 'fast-check';
import { readVisitorsInputs, type VisitorsInputs } from '../../src/visitors/inputs.ts';
import type { VisitedPage } from '../../src/visitors/page-list.ts';
import { passedInputs } from './fake-runner.ts';

/** The inputs of an export on 5 February 2026, with changes. */
export function visitorsInputs(values: Readonly<Record<string, string>> = {}): VisitorsInputs {
  return readVisitorsInputs(
    passedInputs({ 'api-key': 'mint_key', 'project-id': 'acme', ...values }),
    Date.UTC(2026, 1, 5),
  );
}

/** Paths that break careless exports: in spreadsheets, YAML, Markdown and logs. */
const nasty = fc.constantFrom(
  '"',
  "'",
  '#',
  ': ',
  ',',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '|',
  '`',
  '=',
  '+',
  '-',
  '@',
  '{{x}}',
  '$',
  '[',
  ']',
  '{',
  '}',
  '%%',
  '<script>',
  '</code>',
  '&amp;',
  '\\',
  '🚀',
  '\ud800',
  '\udc00',
  '\u2028',
  '\u2029',
  '\u0085',
  '\ufeff',
  '\u0000',
  '\u001b',
  '\u202e',
  '::error::',
  '##[error]',
  '---\n',
  '*x',
  '&a',
  '!!js',
);

/** Paths that no reasonable site has. */
export const nastyPath = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

const count = fc.nat({ max: 1_000_000 });

const counts = fc.record({ human: count, ai: count, total: count });

export const nastyPage: fc.Arbitrary<VisitedPage> = fc.record({
  path: nastyPath,
  human: count,
  ai: count,
  total: count,
  previous: fc.option(counts, { nil: undefined }),
});

/** A page with this many visitors, all human. */
export function page(path: string, fields: Partial<VisitedPage> = {}): VisitedPage {
  const { total = 10, human = total, ai = 0, previous } = fields;
  return { path, human, ai, total, previous };
}
