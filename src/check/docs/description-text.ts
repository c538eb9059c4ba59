import type { CodeKind, CodePassage, Page, Passage } from './page.ts';
import { forAgentsOf } from './page-agents.ts';
import { codeOf } from './page-code.ts';
import { outlineOf } from './page-outline.ts';
import { parseMarkdown } from './page-syntax.ts';

/** What can hold any of it. */
const suspicious = /<[a-z!]|script\s*:|&#/i;

/** The others are mostly words in angle brackets, such as `a list of <object>`. */
const running: ReadonlySet<CodeKind> = new Set(['script', 'handler', 'script-url', 'raw-html']);

/**
 * Code and hidden text in what an API description says: the site shows it as Markdown.
 * @param data as it was parsed
 */
export function partsOfDescription(data: unknown): Pick<Page, 'code' | 'forAgents'> {
  const code: CodePassage[] = [];
  const forAgents: Passage[] = [];
  for (const text of new Set(stringsIn(data).filter((one) => suspicious.test(one)))) {
    const outline = outlineOf(parseMarkdown(text), text);
    const found = codeOf(outline, new Map());
    code.push(...found.filter((one) => running.has(one.kind) || /^<iframe/i.test(one.text)));
    forAgents.push(...forAgentsOf(outline, new Map()));
  }
  // Where the texts stand is not known.
  const atTop = <Found extends Passage>(found: Found): Found => ({ ...found, line: 1 });
  return { code: code.map(atTop), forAgents: forAgents.map(atTop) };
}

/** Without recursion, and each object once: a description can refer to itself. */
function stringsIn(data: unknown): readonly string[] {
  const strings: string[] = [];
  const seen = new Set<object>();
  const waiting: unknown[] = [data];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      strings.push(next);
    } else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const value of Object.values(next)) {
        waiting.push(value);
      }
    }
  }
  return strings;
}
