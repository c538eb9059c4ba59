import type { Change, DocsVersion } from '../change.ts';
import { kindOf } from '../docs/kinds.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import {
  changedDescriptions,
  changedMarkdown,
  newItems,
  pathBefore,
  stoodUnparsed,
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
      .map(({ line }) => finding(page.file.path, line, 'has new text that only agents see')),
  );
  return [...files, ...passages];
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
