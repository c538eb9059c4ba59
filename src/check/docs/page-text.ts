import type { Code, Nodes } from 'mdast';
import type { Passage, Sample } from './page.ts';
import { textOfHtml } from './page-html.ts';
import { lineOf, type Outline } from './page-outline.ts';

/** What readers see of a node, without formatting. */
export function textOf(node: Nodes): string {
  const parts: string[] = [];
  const stack: Nodes[] = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    parts.push(ownText(next));
    if ('children' in next) {
      stack.push(...[...next.children].reverse());
    }
  }
  return parts.join('');
}

function ownText(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'inlineMath':
      return node.value;
    case 'break':
      return '\n';
    case 'mdxTextExpression':
    case 'mdxFlowExpression':
      return isComment(node.value) ? '' : `{${node.value}}`;
    default:
      return '';
  }
}

/** Whether an expression is a comment and nothing else. */
export function isComment(expression: string): boolean {
  return /^\s*(?:\/\*|\/\/|$)/.test(expression);
}

/** Attributes of components that readers see. */
const visible = ['title', 'description', 'caption', 'label', 'tip', 'alt'];

/** What people read, without code. Blocks that only agents see are prose too: agents read them. */
export function proseOf({ nodes, tags, lineAt }: Outline): readonly Passage[] {
  const blocks = nodes.flatMap((node): readonly Passage[] => {
    switch (node.type) {
      case 'paragraph':
      case 'heading':
      case 'tableCell':
        return [{ text: textOf(node), line: lineOf(node) }];
      case 'html':
        return [{ text: textOfHtml(node.value), line: lineOf(node) }];
      default:
        return [];
    }
  });
  const attributes = tags.flatMap((tag) =>
    tag.attributes.flatMap(({ name, value, start }) =>
      value !== undefined && visible.includes(name) ? [{ text: value, line: lineAt(start) }] : [],
    ),
  );
  return [...blocks, ...attributes]
    .map(({ text, line }) => ({ text: text.trim(), line }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.line - b.line);
}

/** Fenced and indented code. */
export function samplesOf({ nodes }: Outline): readonly Sample[] {
  return nodes
    .filter((node): node is Code => node.type === 'code')
    .map((node) => ({
      language: node.lang ?? '',
      lines: node.value.split(/\r?\n|\r/),
      line: lineOf(node),
    }));
}
