import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import { changedPages, newItems, pathBefore, stoodUnparsed, withPlainSpaces } from './compare.ts';
import { isMadeFromPages } from './llms-text.ts';

/** Files that agents read and readers of the site do not. */
const agentFile =
  /(?:^|\/)(?:(?:AGENTS?|CLAUDE|GEMINI)(?:\.local)?\.md|llms[^/]*\.txt|skill\.md|\.(?:cursor|windsurf|cline)rules|copilot-instructions\.md|[^/]+\.mdc)$/iu;

const agentFolder = /(?:^|\/)\.(?:claude|cursor|agents|mintlify)\//u;

/** New text that readers do not see: in pages, and in the files that agents read. */
export function textForAgents(change: Change): readonly Finding[] {
  const files = change.files
    .filter((file) => isForAgents(file.path) || isForAgents(pathBefore(file)))
    .filter((file) => !isMadeFromPages(file, change))
    .map(({ path, status }) => finding(path, undefined, `is read by agents and was ${status}`));
  const passages = changedPages(change).flatMap((page) =>
    newItems(page.before?.forAgents ?? [], page.after?.forAgents ?? [], textOf)
      .filter(({ text }) => !stoodUnparsed(page, text))
      .map(({ line }) => finding(page.file.path, line, 'has new text that only agents see')),
  );
  return [...files, ...passages];
}

function isForAgents(path: string): boolean {
  return agentFile.test(path) || agentFolder.test(path);
}

function textOf({ text }: Passage): string {
  return withPlainSpaces(text);
}

function finding(file: string, line: number | undefined, what: string): Finding {
  return { rule: 'text-for-agents', file, ...(line === undefined ? {} : { line }), what };
}
