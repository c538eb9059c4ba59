/*
 * Several actions share one comment on a pull request: the agent action writes it, and the check action
 * keeps a section of its own in it, between two hidden lines. An action that writes the comment keeps what
 * belongs to others: `keepSections` for the one who writes the rest, `putSection` for the one who writes a
 * section.
 *
 * All text from outside is escaped before it gets into our comments, so none of it can be such a line.
 */

/** Begins the last line of the comment that the agent action keeps on its pull request. */
export const markOpening = '<!-- docs-agent-action pull-request v1';

const markLine = new RegExp(`^${markOpening} [^\\n]* mac=[\\da-f]{64} -->$`, 'm');

/**
 * Whether the agent action wrote a comment, before any section. Other workflows write as the same user, and
 * may quote a title that has such a line, but not a line of its own.
 */
export function hasMark(body: string): boolean {
  return markLine.test(withUnixLines(body));
}

/** Begins like every marker of ours, so that such a comment never starts a job. */
const opening = '<!-- docs-agent-action section';

/** GitHub refuses a longer comment. */
const maxLength = 65_536;

/** A whole section, with both of its lines. The key in the end line is that of the first one. */
const sections =
  /^<!-- docs-agent-action section ([\da-f]{12}) begin -->\n[\s\S]*?^<!-- docs-agent-action section \1 end -->$/gm;

/** Whether a comment has a section of any kind. */
export function hasSections(body: string): boolean {
  return sectionsOf(body).length > 0;
}

/** The keys of the sections of a comment, in their order. */
export function sectionKeys(body: string): readonly string[] {
  return sectionsOf(body).map(({ key }) => key);
}

/** Whether a comment has the section with this key. */
export function hasSection(body: string, key: string): boolean {
  return sectionKeys(body).includes(key);
}

/**
 * Puts a section into a comment, in place of the one with the same key.
 * @param key 12 hexadecimal digits
 * @param oldKey of a section that it takes the place of too
 */
export function putSection(body: string, key: string, text: string, oldKey = key): string {
  const section = `${opening} ${key} begin -->\n${text.trim()}\n${opening} ${key} end -->`;
  const plain = withUnixLines(body);
  let isPut = false;
  const replaced = plain.replace(sections, (found, foundKey: string) => {
    if (foundKey !== key && foundKey !== oldKey) {
      return found;
    }
    // Should a comment have both, or one of them twice, one is enough.
    const kept = isPut ? '' : section;
    isPut = true;
    return kept;
  });
  return isPut ? replaced : `${joined(plain, section)}\n`;
}

/**
 * Adds the sections of an earlier text of a comment to its new text. One that does not fit is left out:
 * its action writes it again, but nobody writes the new text again.
 */
export function keepSections(before: string, text: string): string {
  return sectionsOf(before).reduce((body, { whole }) => {
    const longer = `${joined(body, whole)}\n`;
    return longer.length > maxLength ? body : longer;
  }, text);
}

function sectionsOf(body: string): readonly { readonly key: string; readonly whole: string }[] {
  return [...withUnixLines(body).matchAll(sections)].map(([whole, key = '']) => ({ key, whole }));
}

/** Someone who edits a comment in a browser leaves carriage returns in it. */
function withUnixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function joined(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
