const tool =
  'vale|prettier|eslint|markdownlint|cspell|textlint|biome|lint|remark|alex|spell-checker|ts';
const order = new RegExp(
  `^@?(?:${tool})\\b[-:\\s]*(?:[\\w.-]+\\s*=\\s*(?:yes|no|on|off)|(?:[\\w-]*(?:on|off|ignore|disable|enable|words?|expect|nocheck)[\\w-]*(?:\\s+[\\w./,@:-]{1,40}){0,2}))?$`,
  'i',
);

const longestDirective = 200;

/** Whether a comment is for linters, formatters and other tools, such as `pmd-metadata: notest`, or empty. */
export function isDirective(comment: string): boolean {
  if (comment.length > longestDirective) {
    return false;
  }
  const words = comment.replace(/^[\s/*<!-]+|[\s/*>-]+$/g, '');
  return words === '' || /^[\w-]{2,30}:\s*[\w-]{1,30}$/.test(words) || order.test(words);
}
