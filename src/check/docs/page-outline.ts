import type { Nodes, Root } from 'mdast';
import { tagsOfHtml } from './page-html.ts';
import { jsxTagsOf, tagOfMdx } from './page-jsx.ts';
import { isScriptNode, type ScriptNode } from './page-script.ts';
import type { Tag } from './page-tag.ts';

/** A page, taken apart once; the parts of a `Page` are found in these lists. */
export interface Outline {
  readonly text: string;
  /** All nodes in the order of the text, each before its children. */
  readonly nodes: readonly Nodes[];
  readonly tags: readonly Tag[];
  readonly scripts: readonly Script[];
  /** The line of an offset, from 1. */
  readonly lineAt: (offset: number) => number;
}

/** JavaScript in the page: imports and exports, or an expression in braces. */
export interface Script {
  readonly kind: 'esm' | 'expression' | 'attribute';
  readonly program: ScriptNode;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export function outlineOf(root: Root, text: string): Outline {
  const nodes: Nodes[] = [];
  const tags: Tag[] = [];
  const scripts: Script[] = [];
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    addTo(tags, scripts, node);
    if ('children' in node) {
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const below = node.children[index];
        if (below !== undefined) {
          stack.push(below);
        }
      }
    }
  }
  return { text, nodes, tags, scripts, lineAt: lineFinder(text) };
}

function addTo(tags: Tag[], scripts: Script[], node: Nodes): void {
  switch (node.type) {
    case 'html':
      tags.push(...tagsOfHtml(node.value, startOffset(node), lineOf(node)));
      return;
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      tags.push(tagOfMdx(node));
      for (const attribute of node.attributes) {
        const holder =
          attribute.type === 'mdxJsxAttribute' && typeof attribute.value === 'object'
            ? attribute.value
            : attribute;
        addScript(tags, scripts, 'attribute', holder?.data, attribute.position ?? node.position);
      }
      return;
    case 'mdxjsEsm':
      addScript(tags, scripts, 'esm', node.data, node.position);
      return;
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      addScript(tags, scripts, 'expression', node.data, node.position);
      return;
    default:
      return;
  }
}

function addScript(
  tags: Tag[],
  scripts: Script[],
  kind: Script['kind'],
  data: object | undefined,
  position: Nodes['position'],
): void {
  const program = data !== undefined && 'estree' in data ? data.estree : undefined;
  if (isScriptNode(program) && position !== undefined) {
    const { start, end } = position;
    const range = { start: start.offset ?? 0, end: end.offset ?? 0 };
    scripts.push({ kind, program, line: start.line, ...range });
    tags.push(...jsxTagsOf(program, start.line));
  }
}

function lineFinder(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    ends.push(end);
  }
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low + 1;
  };
}

/** The first line of a node, from 1. */
export function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** A part of the page's text, as offsets in it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export function rangeOf(node: Nodes): Range {
  const start = startOffset(node);
  return { start, end: node.position?.end.offset ?? start };
}

export function startOffset(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}
