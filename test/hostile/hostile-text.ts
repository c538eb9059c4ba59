import fc from 'fast-check';

/** Part of every hostile text, so that tests can find where the text ends up. */
export const canary = 'zq7x';

/** Syntax of a runner, a terminal, Markdown, HTML, GitHub, YAML or a spreadsheet. */
const pieces = [
  ...['::error::', '::set-output name=pr-link::https://evil.example', '::add-mask::a'],
  ...['::stop-commands::x', '##[error]', '##[set-output name=status;]completed'],
  ...['##[add-path]/evil', '%0A::error::'],
  // In some shells, `echo` turns these into a line end or a colon.
  ...['\\n::error::', '\\r##[error]', '\\012\\072:error::', '\\x0a::error::', '\\\\n::error::'],
  ...['\\c', 'pr-link=https://evil.example', 'job-id<<ghadelimiter_1', 'ghadelimiter_1', '\n'],
  ...['\r', '\r\n', '\t', '\u0085', '\u2028', '\u2029', '\u000b', '\u001b[31m', '\u0000'],
  ...['\u202e', '\u200b', '\ufeff', '\ud800', '\u{e0041}', '@octocat ', 'closes #1 ', 'GH-1 '],
  ...['acme/product#1 ', 'https://evil.example/', 'www.evil.example', 'a@evil.example'],
  ...['<script>', '</code>', '</a></td>', '<!--', '-->', '<img src=x onerror=alert(1)>'],
  ...['![x](https://evil.example/x.png)', '[x](javascript:alert(1))'],
  ...['[x]: https://evil.example', '# ', '> ', '- ', '```', '`', '~~~', '| a | b |', '|---|---|'],
  ...['$$', '**', '__', '\\', '&lt;', '&#64;', '{{event.issue.body}}', '{{file:/etc/passwd}}'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of a workflow, not ours
  ...['${{ secrets.KEY }}', '=1+1', '"', "'", ','],
];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
);

/** Text of an attacker, short enough for every field. */
export const hostileText: fc.Arbitrary<string> = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.array(piece, { maxLength: 5 }))
  .map(([before, after]) => [...before, canary, ...after].join('').slice(0, 400));
