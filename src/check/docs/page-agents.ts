import type { Nodes } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import type { Passage } from './page.ts';
import { tagOfMdx } from './page-jsx.ts';
import { lineOf, type Outline, startOffset } from './page-outline.ts';
import { bodyOf, foldString } from './page-script.ts';
import { attributeOf, type Tag } from './page-tag.ts';
import { isComment, textOf } from './page-text.ts';

/**
 * What people do not see on the site, but agents get in the page's Markdown: content of
 * `<Visibility for="agents">`, comments, and text in hidden elements.
 *
 * Comments belong to it because Mintlify writes the Markdown from the parsed page, comments
 * included. Of merged changes of eight public repositories, one in fifty touches a comment.
 */
export function forAgentsOf({ nodes, text }: Outline): readonly Passage[] {
  let covered = -1;
  return nodes.flatMap((node): readonly Passage[] => {
    const start = startOffset(node);
    const end = node.position?.end.offset ?? start;
    if (start < covered || !isForAgents(node)) {
      return [];
    }
    covered = end;
    return [{ text: text.slice(start, end), line: lineOf(node) }];
  });
}

function isForAgents(node: Nodes): boolean {
  switch (node.type) {
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return isComment(node.value) && !isDirective(node.value);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return isHiddenElement(node);
    default:
      return false;
  }
}

/** For linters, formatters and other tools, such as `pmd-metadata: notest`, or empty. */
function isDirective(comment: string): boolean {
  const words = comment.replace(/^[\s/*]+|[\s/*]+$/g, '');
  return (
    words === '' ||
    /^[\w-]{2,30}:\s*[\w-]{1,30}$/.test(words) ||
    /^(?:vale|prettier|eslint|markdownlint|cspell|textlint|biome|lint|remark|alex|spell-checker|ts)\b[^.!?]{0,60}$/i.test(
      words,
    )
  );
}

function isHiddenElement(node: MdxJsxFlowElement | MdxJsxTextElement): boolean {
  const tag = tagOfMdx(node);
  if (tag.name === 'Visibility') {
    return literalOf(tag, 'for') === 'agents';
  }
  const isHidden =
    (attributeOf(tag, 'hidden') !== undefined && /^[a-z]/.test(tag.name)) ||
    /display\s*:\s*['"]?none|visibility\s*:\s*['"]?hidden|font-?size\s*:\s*['"]?0/i.test(
      styleOf(tag, node),
    ) ||
    isHiddenByClass(literalOf(tag, 'classname') ?? literalOf(tag, 'class') ?? '');
  return isHidden && textOf(node).trim() !== '';
}

/** `hidden dark:block` is shown to those who read in the dark. */
function isHiddenByClass(names: string): boolean {
  const list = names.split(/\s+/);
  const isShownSomewhere = list.some((name) =>
    /:(?:block|flex|grid|inline|contents|table|not-sr)/.test(name),
  );
  return !isShownSomewhere && list.some((name) => /^!?(?:hidden|sr-only|invisible)$/.test(name));
}

function literalOf(tag: Tag, name: string): string | undefined {
  const attribute = attributeOf(tag, name);
  return attribute?.value ?? foldString(bodyOf(attribute?.expression), new Map());
}

function styleOf(tag: Tag, node: MdxJsxFlowElement | MdxJsxTextElement): string {
  const style = attributeOf(tag, 'style');
  if (style?.value !== undefined) {
    return style.value;
  }
  const source = node.attributes.find(
    (one) => one.type === 'mdxJsxAttribute' && one.name === 'style',
  );
  return source?.value !== null && typeof source?.value === 'object' ? source.value.value : '';
}
