import type { Element, Nodes } from 'hast';
import { type Handle as FromElement, toMdast } from 'hast-util-to-mdast';
import type { FootnoteDefinition, Html, Nodes as MarkdownNodes, PhrasingContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import {
  toMarkdown,
  type Handle as Write,
  type Options as WriteOptions,
} from 'mdast-util-to-markdown';
import { toString as textOf } from 'mdast-util-to-string';

/** The blocks of a page. */
export interface Written {
  readonly blocks: readonly string[];
  /** How many pieces of text were left out, since nobody knows what GitHub makes of them. */
  readonly unclear: number;
}

/** Writes what a page shows as Markdown, block by block. */
export function writeMarkdown(page: Nodes): Written {
  const tree = toMdast(page, { document: true, handlers: fromElements, newlines: true });
  const unclear = dropLooseLinks(tree);
  const blocks = (tree.type === 'root' ? tree.children : [])
    .map((block) => toMarkdown({ type: 'root', children: [block] }, options).trimEnd())
    .filter((block) => block !== '');
  return { blocks, unclear };
}

/**
 * Brackets that make no link or image here may make one on GitHub, which has its own view of links
 * inside links and of addresses with brackets: then nobody sees the title, label or description.
 * `\0` stands where a link begins.
 */
const looseLink = /\]\(\s*\S*\s+["'(]|!\[[\s\S]*\]\(\S*\)|\[[\s\S]*\0[\s\S]*\]\0/;

function dropLooseLinks(node: MarkdownNodes): number {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    const isUnclear = looseLink.test(textOutsideCode(node));
    node.children = isUnclear ? [] : node.children;
    return isUnclear ? 1 : 0;
  }
  return 'children' in node
    ? node.children.reduce((count, child) => count + dropLooseLinks(child), 0)
    : 0;
}

function textOutsideCode(node: MarkdownNodes): string {
  if ('children' in node) {
    return (node.type === 'link' ? '\0' : '') + node.children.map(textOutsideCode).join('');
  }
  return node.type === 'text' ? node.value : ' ';
}

/** A tag that tells readers something and has no counterpart in Markdown. */
function tag(name: string): Html {
  // The tag that it is compared to says that it stands in a line.
  return { type: 'html', value: `<${name}>`, data: { hName: 'span' } };
}

const inTags: FromElement = (state, element) => [
  tag(element.tagName),
  ...state.all(element),
  tag(`/${element.tagName}`),
];

const superscript: FromElement = (state, element, parent) => {
  const isFootnoteCall = element.children.some(
    (child) => child.type === 'element' && child.properties['dataFootnoteRef'] !== undefined,
  );
  return isFootnoteCall ? state.all(element) : inTags(state, element, parent);
};

const details: FromElement = (state, element) => [
  { type: 'html', value: '<details>' },
  ...state.toFlow(state.all(element)),
  { type: 'html', value: '</details>' },
];

const summary: FromElement = (state, element, parent) => {
  const children = [inTags(state, element, parent)].flat() as PhrasingContent[];
  return { type: 'paragraph', children };
};

const link: FromElement = (state, element) => {
  const { href, dataFootnoteRef, dataFootnoteBackref } = element.properties;
  if (dataFootnoteBackref !== undefined) {
    return [];
  }
  const children = state.all(element);
  const text = textOf(children);
  if (dataFootnoteRef !== undefined) {
    return { type: 'footnoteReference', identifier: text };
  }
  const url = String(href ?? '');
  // An address that stands in the text need not be written twice.
  return [text, `http://${text}`, `mailto:${text}`].includes(url)
    ? { type: 'text', value: text }
    : { type: 'link', url, children: children as PhrasingContent[] };
};

/** The list of footnotes that GitHub puts at the end. */
const section: FromElement = (state, element) => {
  if (element.properties['dataFootnotes'] === undefined) {
    return state.toFlow(state.all(element));
  }
  const list = element.children.find((child) => child.type === 'element' && child.tagName === 'ol');
  const items = list?.type === 'element' ? list.children.filter(isElement) : [];
  return items.map(
    (item, index): FootnoteDefinition => ({
      type: 'footnoteDefinition',
      identifier: String(index + 1),
      children: state.toFlow(state.all(item)),
    }),
  );
};

function isElement(node: Nodes): node is Element {
  return node.type === 'element';
}

const fromElements = {
  a: link,
  details,
  kbd: inTags,
  section,
  sub: inTags,
  summary,
  sup: superscript,
} as const;

/**
 * Nobody renders this again, so that escapes would be noise, but for what an agent could take for
 * HTML or for the end of a cell.
 */
const text: Write = ({ value }: { readonly value: string }, _parent, state) => {
  const escaped = value.replace(/<(?=[a-z!?/])/gi, '\\<');
  return state.stack.includes('tableCell')
    ? escaped.replace(/\r?\n|\r/g, ' ').replaceAll('|', '\\|')
    : escaped;
};

function between(mark: string): Write {
  return (node, _parent, state, info) => {
    const inside = state.containerPhrasing(node, info);
    return inside.trim() === '' ? inside : mark + inside + mark;
  };
}

const writers = {
  break: (_node, _parent, state) => (state.stack.includes('tableCell') ? '<br>' : '\\\n'),
  delete: between('~~'),
  emphasis: between('*'),
  image: ({ url }) => `![](${address(url)})`,
  link: (node, _parent, state, info) =>
    `[${state.containerPhrasing(node, info)}](${address(node.url)})`,
  strong: between('**'),
  text,
} as const satisfies Record<string, Write>;

const options: WriteOptions = {
  bullet: '-',
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: writers,
  rule: '-',
};

/** Addresses that need no brackets. */
const plainAddress = /^[^()]*(?:\([^()]*\)[^()]*)*$/;

function address(url: string): string {
  const written = url.replace(/[\s<>]/g, encodeURIComponent);
  return plainAddress.test(written) ? written : `<${written}>`;
}
