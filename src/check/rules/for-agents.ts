import { shortened } from '../../text/plain.ts';
import type { Change, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import {
  type ChangedPage,
  changedDescriptions,
  changedMarkdown,
  newItems,
  pathBefore,
  plainTextBefore,
  stoodUnparsed,
  withoutCommentMarks,
  withPlainSpaces,
} from './compare.ts';
import { isMadeFromPages } from './llms-text.ts';

/**
 * Files that agents read, besides those that the docs have for them: some programs read them whatever
 * the case of their letters, and they may lie outside of the docs.
 */
const agentFile =
  /(?:^|\/)(?:(?:AGENTS?|CLAUDE|GEMINI|COPILOT)(?:\.(?:local|override))?\.md|llms[^/]*\.txt|skill\.md|\.(?:cursor|windsurf|cline|roo)rules|copilot-instructions\.md|[^/]+\.(?:mdc|instructions\.md|prompt\.md))$/iu;

const agentFolder =
  /(?:^|\/)\.(?:claude|codex|cursor|gemini|agents?|mintlify|windsurf|clinerules)\//iu;

/** New text that readers do not see: in Markdown, and in the files that agents read. */
export function textForAgents(change: Change): readonly Finding[] {
  const files = change.files
    .filter(
      (file) =>
        isForAgents(file.path, change.after) || isForAgents(pathBefore(file), change.before),
    )
    .filter((file) => !isMadeFromPages(file, change))
    .map(({ path, status }) => finding(path, undefined, `is read by agents and was ${status}`));
  const pages = [...changedMarkdown(change), ...changedDescriptions(change)];
  const passages = pages.flatMap((page) =>
    newItems(page.before?.forAgents ?? [], page.after?.forAgents ?? [], textOf)
      .filter(({ text }) => !stoodUnparsed(page, text))
      .map((passage, index) => {
        const isHidden = index < mostSearched && wasVisible(passage, page);
        return finding(page.file.path, passage.line, whatOf(passage, isHidden));
      }),
  );
  return [...files, ...passages];
}

const longestQuote = 120;

/** Searching a long page for each of very many passages would take too long. */
const mostSearched = 100;

function whatOf(passage: Passage, isHiddenNow: boolean): string {
  const verb = isHiddenNow
    ? 'hides text from readers that agents still see'
    : 'has new text that only agents see';
  return `${verb}: ${shortened(textOf(passage), longestQuote)}`;
}

/** Fewer letters may stand anywhere by accident. */
const leastLetters = 12;

/** Whether the page had the text before, without the marks or the element that hide it now. */
function wasVisible({ text }: Passage, { file, before }: ChangedPage): boolean {
  const inner = withPlainSpaces(withoutCommentMarks(text).replace(/^<[^<>]*>|<\/[^<>]*>$/gu, ''));
  const hidden = (before?.forAgents ?? []).some((one) => textOf(one).includes(inner));
  return inner.length >= leastLetters && !hidden && plainTextBefore(file).includes(inner);
}

function isForAgents(path: string, { site }: DocsVersion): boolean {
  // Whatever the navigation names, agents read it too.
  const kind = kindOf(path, { root: site.root, files: [], apiFiles: [] });
  return kind === 'for-agents' || agentFile.test(path) || agentFolder.test(path);
}

function textOf({ text }: Passage): string {
  return withPlainSpaces(text);
}

function finding(file: string, line: number | undefined, what: string): Finding {
  return { rule: 'text-for-agents', file, ...(line === undefined ? {} : { line }), what };
}
