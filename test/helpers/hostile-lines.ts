import fc from 'fast-check';

/** Texts made of syntax of the runner, Markdown and HTML. */
export const hostileLine = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '::',
        '##[',
        '#',
        '[',
        ']',
        '\n',
        '\r',
        ' ',
        '\u2028',
        '<',
        '>',
        '`',
        '|',
        '@',
      ),
      fc.constantFrom('error', 'add-mask', 'https://', 'www.', '*', '_', '&', ';', '\\', '\u202E'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));
