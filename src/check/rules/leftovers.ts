import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Page, Sample } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import { type Line, linesOf, newLines, pathBefore } from './compare.ts';

const longestLine = 120;

/**
 * Sentences with which an agent talks to the person who asked, and its placeholders for text that it left
 * out. Each stands at the beginning of a line. Sentences that a guide could also have, such as
 * "Let me know" alone, are not here.
 */
const chatter = [
  /^(?:sure|certainly|of course|absolutely)[!,.]\s+(?:here(?:'s| is| are)|i(?:'ll| will|'ve| have))\b/iu,
  /^here(?:'s| is| are) (?:the|your|an?) (?:full |complete |entire )?(?:updated|revised|rewritten|corrected|improved|modified|new version of the) (?:\w+ )?(?:page|file|document(?:ation)?|content|version|text|section|markdown|mdx)\b/iu,
  /^i(?:'ve| have) (?:updated|rewritten|revised|modified|added|removed|made) (?:the|your|these|all) (?:\w+ ){0,2}(?:page|file|document(?:ation)?|docs|content|section|changes)\b/iu,
  /^as an ai(?: language)? (?:model|assistant)\b/iu,
  /^i(?:'m| am) (?:sorry|unable)[^.]{0,40}\b(?:as an ai|i (?:can't|cannot) (?:access|assist|help with|browse))/iu,
  /^let me know if (?:you(?:'d| would) like|you want|you need) (?:me to|any (?:further |other |more )?(?:changes|edits|revisions|adjustments|modifications))\b/iu,
  /^(?:would you like|do you want) me to\b/iu,
  /^[[(<]?\s*(?:\.{3}|…)?\s*(?:the )?(?:rest|remainder) of (?:the |this )?(?:file|page|document|content|section|code)s?(?: (?:is|are|remains?|stays?))? (?:unchanged|the same|as (?:is|before)|unmodified|here|omitted)[\s.…)\]*/}>-]*$/iu,
  /^[[(<]?\s*(?:\.{3}|…)\s*(?:\(?(?:rest of|remaining|existing|previous|unchanged)\b[^.…]{0,40})(?:\.{3}|…|[\])>]|unchanged)/iu,
  /^\[?(?:existing|previous) content (?:remains )?(?:unchanged|here|continues)\b/iu,
];

/** What can stand before the first word of a line: quotes, lists, emphasis, the start of a comment. */
const markup = /^(?:\s|>|[-*+]\s|#{1,6}\s|\d+[.)]\s|\{\/\*|<!--|\/\/|[*_]{1,3}(?=\S))*/u;

export function agentChatter({ files, after }: Change): readonly Finding[] {
  return files.flatMap((file) => {
    const page = after.pages.get(file.path);
    if (page === undefined || file.status === 'deleted') {
      return [];
    }
    const inSamples = new Set(page.samples.flatMap(linesOfSample));
    return newLines(file)
      .filter(({ text, line }) => isChatter(text) && !inSamples.has(line))
      .map(({ text, line }) => ({
        rule: 'agent-chatter' as const,
        file: file.path,
        line,
        what: `reads like an agent's remark: ${shortened(text.trim(), longestLine)}`,
      }));
  });
}

function isChatter(text: string): boolean {
  const words = text.replace(markup, '').replaceAll('’', "'");
  return chatter.some((pattern) => pattern.test(words));
}

/** The lines with which Git marks a conflict that nobody resolved. */
export function conflictMarker({ files, before, after }: Change): readonly Finding[] {
  return files.flatMap((file) => {
    const had = new Set(conflictsIn(file.before, before.pages.get(pathBefore(file))).map(textOf));
    return conflictsIn(file.after, after.pages.get(file.path))
      .filter((marker) => !had.has(textOf(marker)))
      .map(({ line }) => ({
        rule: 'conflict-marker' as const,
        file: file.path,
        line,
        what: 'has a conflict that nobody resolved',
      }));
  });
}

function textOf({ text }: Line): string {
  return text;
}

/** The first lines of the conflicts in a text: a start, and a middle or an end after it. */
function conflictsIn(text: string | undefined, page: Page | undefined): readonly Line[] {
  const examples = page === undefined ? new Set() : exampleLines(page);
  const conflicts: Line[] = [];
  let start: Line | undefined;
  for (const line of linesOf(text).filter((one) => !examples.has(one.line))) {
    if (/^<{7}(?: |$)/u.test(line.text)) {
      start = line;
    } else if (/^(?:={7}$|>{7}(?: |$))/u.test(line.text) && start !== undefined) {
      conflicts.push(start);
      start = undefined;
    }
  }
  return conflicts;
}

/** The lines of samples in a page that explains conflicts: there they can show one. */
function exampleLines(page: Page): ReadonlySet<number> {
  return new Set(
    page.prose.some(({ text }) => /\bconflict/iu.test(text))
      ? page.samples.flatMap(linesOfSample)
      : [],
  );
}

function linesOfSample({ line, lines }: Sample): readonly number[] {
  return Array.from({ length: lines.length + 2 }, (_, index) => line + index);
}
