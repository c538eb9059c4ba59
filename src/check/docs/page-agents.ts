import type { Nodes } from 'mdast';
import type { Passage } from './page.ts';
import { isDirective } from './page-directive.ts';
import { isHidden } from './page-hidden.ts';
import { hasInvisibleText } from './page-invisible.ts';
import { type Outline, type Range, rangeOf, type Script } from './page-outline.ts';
import {
  type Constants,
  eachNode,
  endOf,
  isScriptNode,
  isSum,
  type ScriptNode,
  startOf,
  text as textIn,
} from './page-script.ts';
import { stringsOf } from './page-strings.ts';
import { isComment } from './page-text.ts';
import { unseenTexts } from './page-unseen.ts';

/**
 * What people do not see on the site, but agents may get in the page's Markdown: content of
 * `<Visibility for="agents">`, comments, text in hidden elements or behind a condition, definitions that
 * nothing refers to, invisible characters, and orders in descriptions of pictures and other attributes.
 *
 * Comments belong to it because Mintlify writes the Markdown from the parsed page, comments
 * included. Of merged changes of eight public repositories, one in fifty touches a comment.
 */
export function forAgentsOf(outline: Outline, constants: Constants): readonly Passage[] {
  const { text, nodes, scripts, lineAt } = outline;
  const ranges = [
    ...commentNodes(nodes),
    ...unusedDefinitions(nodes),
    ...hiddenElements(outline, constants),
    ...scripts.flatMap(commentsIn),
    ...scripts.flatMap((script) => conditionalTexts(script, constants)),
    ...invisibleLines(outline),
    ...unseenTexts(outline, constants),
  ];
  return withoutInner(ranges).map(({ start, end }) => ({
    text: text.slice(start, end),
    line: lineAt(start),
  }));
}

function commentNodes(nodes: readonly Nodes[]): readonly Range[] {
  return nodes
    .filter((node) => {
      switch (node.type) {
        case 'mdxFlowExpression':
        case 'mdxTextExpression':
          return isComment(node.value) && !isDirective(node.value);
        case 'html':
          return /^\s*<!--/.test(node.value) && !isDirective(node.value);
        default:
          return false;
      }
    })
    .map(rangeOf);
}

/** `[//]: # (text)` is how people write comments in Markdown. */
function unusedDefinitions(nodes: readonly Nodes[]): readonly Range[] {
  const used = new Set(
    nodes.flatMap((node) => {
      switch (node.type) {
        case 'linkReference':
        case 'imageReference':
          return [node.identifier];
        case 'footnoteReference':
          return [`^${node.identifier}`];
        default:
          return [];
      }
    }),
  );
  return nodes
    .filter((node) => {
      switch (node.type) {
        case 'definition':
          return !used.has(node.identifier);
        case 'footnoteDefinition':
          return !used.has(`^${node.identifier}`);
        default:
          return false;
      }
    })
    .map(rangeOf);
}

function hiddenElements({ text, tags }: Outline, constants: Constants): readonly Range[] {
  return tags.filter((tag) => {
    const contentOf = () =>
      text
        .slice(tag.start, tag.end)
        .replace(/<[^<>]*>/g, '')
        .trim();
    return isHidden(tag, contentOf, constants);
  });
}

/** Comments of functions belong to their code. */
function commentsIn({ program }: Script): readonly Range[] {
  const comments = program['comments'];
  const found = Array.isArray(comments) ? comments.filter(isScriptNode) : [];
  if (found.length === 0) {
    return [];
  }
  const functions: Range[] = [];
  eachNode(program, (node) => {
    if (/Function|Class/.test(node.type)) {
      functions.push({ start: startOf(node), end: endOf(node) });
    }
  });
  return found
    .filter((comment) => !isDirective(textIn(comment, 'value') ?? ''))
    .map((comment) => ({ start: startOf(comment), end: endOf(comment) }))
    .filter(({ start }) => !functions.some((one) => one.start < start && start < one.end));
}

/** Words that fit on a button, such as `you` in `{user.name ?? "you"}`, tell agents nothing. */
const shortText = 30;

/** Texts of which a condition shows at most one. */
function conditionalTexts(
  { kind, program, ...range }: Script,
  constants: Constants,
): readonly Range[] {
  if (kind === 'esm') {
    return [];
  }
  let isFound = false;
  let covered = -1;
  eachNode(program, (node) => {
    if (isChoice(node) && startOf(node) >= covered) {
      covered = endOf(node);
      isFound ||= lengthOfTexts(node, constants) > shortText;
    }
  });
  return isFound ? [range] : [];
}

function isChoice(node: ScriptNode): boolean {
  return (
    /^(?:Logical|Conditional|Unary|Member)Expression$/.test(node.type) ||
    (node.type === 'BinaryExpression' && !isSum(node))
  );
}

function lengthOfTexts(root: ScriptNode, constants: Constants): number {
  let length = stringsOf(root, constants).reduce((sum, { value }) => sum + value.length, 0);
  eachNode(root, (node) => {
    length += node.type === 'JSXText' ? (textIn(node, 'value') ?? '').trim().length : 0;
  });
  return length;
}

function invisibleLines({ text }: Outline): readonly Range[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const range = { start, end: start + line.length };
    start = range.end + 1;
    return hasInvisibleText(line) ? [range] : [];
  });
}

/** What stands in a passage belongs to it. */
function withoutInner(ranges: readonly Range[]): readonly Range[] {
  let covered = -1;
  return [...ranges]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      const isInner = end <= covered && start < covered;
      covered = Math.max(covered, end);
      return !isInner;
    });
}
