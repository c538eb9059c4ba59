import type { Definition, Nodes, Root } from 'mdast';
import type {
  MdxFlowExpression,
  MdxJsxFlowElement,
  MdxJsxTextElement,
  MdxTextExpression,
} from 'mdast-util-mdx';
import { decodeString } from 'micromark-util-decode-string';
import { byName, components, showsPart } from './components.ts';
import { type Field, type PageProblem, readFrontMatter } from './front-matter.ts';
import { addressesIn } from './known.ts';
import { type Import, importsIn, type Literal, literalOf, namesIn } from './script.ts';
import { cleanAnchor, slugsOf } from './slug.ts';
import { type Body, parse, parseProblem, refusalOf, takeHeadingIds } from './syntax.ts';

/** What the rules need to know of a page or a snippet. */
export interface Page {
  /** Why the page cannot be read; then the rest is empty. */
  readonly problem: PageProblem | undefined;
  readonly frontMatter: readonly Field[];
  /** What readers see, in the order of the text: a section's heading comes before what stands below it. */
  readonly blocks: readonly Block[];
  /** Everything that could be anything but plain text. */
  readonly constructs: readonly Construct[];
  readonly links: readonly Link[];
  /** All anchors that a link can point at, without `#`: of headings, components and ids. */
  readonly anchors: ReadonlySet<string>;
  /** Names that the page's imports and exports have in them: what it declares is among them. */
  readonly names: ReadonlySet<string>;
}

/** What a page can show. `tab` to `card` are components with a title and a content. */
export type BlockKind =
  | 'section'
  | 'callout'
  | 'sample'
  | 'picture'
  | 'include'
  | 'table'
  | 'row'
  | 'column'
  | 'parameter'
  | 'tab'
  | 'step'
  | 'accordion'
  | 'card'
  | 'list-item'
  | 'paragraph';

/** A part of a page as readers see it. */
export interface Block {
  readonly kind: BlockKind;
  /** Of a component its name, of a sample its language; otherwise empty. */
  readonly name: string;
  /** Of a component or a parameter what it is called, of a table and a row their first cell; otherwise empty. */
  readonly title: string;
  /** As readers see it, with everything inside; of a picture its address, of a sample its lines. */
  readonly text: string;
  readonly line: number;
  /** The heading that it stands below. */
  readonly section: Block | undefined;
  /** The callout, component, list item or table that it stands in. */
  readonly parent: Block | undefined;
  /** What its own text links to. */
  readonly targets: readonly string[];
  /** Code in its sentences. */
  readonly codes: readonly string[];
  /** Whether it is a step: its place among the others says when to do it. */
  readonly isStep: boolean;
  /** Of a parameter what else is said of it, such as its type. */
  readonly facets: Readonly<Record<string, string>>;
}

/** What an address is for: readers choose to follow a link, and what else has an address may be loaded. */
export type AddressKind = 'link' | 'source';

/** An address in a page, as it is written. */
export interface Link {
  readonly kind: AddressKind | 'import';
  readonly target: string;
  readonly line: number;
}

/** An element of JSX, with its attributes. */
export interface Element {
  readonly kind: 'element';
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** What stands in it; empty of a component of Mintlify's, which shows that. */
  readonly content: string;
  /** Whether nothing stands in it. */
  readonly isEmpty: boolean;
}

/** `value` is what is written out; an attribute without one is `true`; `undefined` for code. */
export interface Attribute {
  /** Empty for a spread such as `{...props}`. */
  readonly name: string;
  readonly value: Literal | undefined;
  /** As it is written, where it is code. */
  readonly code: string;
}

/**
 * - `code`: JavaScript, as an expression in braces or in exports.
 * - `inline-code`: code in a sentence.
 * - `invisible`: what stands around a character that nobody sees.
 * - `markup`: what is no element of JSX: raw HTML, or text that is crossed out.
 * - `disguised`: a link whose words name another site than the one to which it leads.
 * - `unseen`: what readers see in some places only, or not at all, such as text in an icon, a cell beyond the last
 *   column, the title of a link, or a footnote to which nothing refers.
 */
type TextKind =
  | 'comment'
  | 'alt-text'
  | 'formula'
  | 'code'
  | 'inline-code'
  | 'invisible'
  | 'markup'
  | 'disguised'
  | 'unseen';

/** What could be anything but plain text, and where it stands. */
export type Construct = { readonly line: number } & (
  | Element
  | { readonly [Kind in TextKind]: { readonly kind: Kind; readonly text: string } }[TextKind]
  | ({ readonly kind: 'import' } & Import)
  | { readonly kind: AddressKind; readonly target: string }
  | {
      readonly kind: 'sample';
      readonly language: string;
      /** What stands after the language. */
      readonly meta: string;
      readonly text: string;
    }
);

/** A page with nothing in it. */
export const emptyPage: Page = {
  problem: undefined,
  frontMatter: [],
  blocks: [],
  constructs: [],
  links: [],
  anchors: new Set(),
  names: new Set(),
};

/**
 * Reads a page or a snippet. It never throws: a text that cannot be parsed has a `problem`. Size and
 * nesting are limited, so that parsing takes a second at most.
 *
 * @param isMarkdown whether it is Markdown for GitHub, such as a README, in which any text is valid
 */
export function parsePage(text: string, isMarkdown = false): Page {
  const refused = refusalOf(text);
  if (refused !== undefined) {
    return { ...emptyPage, problem: refused };
  }
  const whole = text.replace(/^\uFEFF/, '');
  const { fields: frontMatter, comments, problem, rest } = readFrontMatter(whole);
  if (problem !== undefined) {
    return { ...emptyPage, problem };
  }
  const walk = new Walk(takeHeadingIds(rest));
  walk.constructs.push(
    ...comments.map((comment) => ({ kind: 'comment', text: comment, line: 1 }) as const),
    ...invisibleIn(whole),
  );
  try {
    walk.read(parse(walk.body.text, isMarkdown));
  } catch (error) {
    return { ...emptyPage, problem: parseProblem(error) };
  }
  const { blocks, constructs, anchors, names } = walk;
  if (/\\[ux]/iu.test(whole)) {
    // An escape of YAML or JavaScript can stand for such a character, too.
    const values = [...frontMatter, ...constructs, ...walk.written];
    constructs.push(...values.flatMap((value) => invisibleIn(JSON.stringify(value))));
  }
  const links = constructs.flatMap(linksIn);
  return { problem, frontMatter, blocks, constructs, links, anchors, names };
}

/** A path in quotes. */
const pathInCode = /(["'`])(\.{0,2}\/[^\s"'`<>${}]{1,300})\1/gu;

/** Paths in code count as links, so that it is missed if what they lead to goes. */
function linksIn(construct: Construct): readonly Link[] {
  if ('target' in construct) {
    return [construct];
  }
  const { kind, line } = construct;
  const attributes = kind === 'element' ? construct.attributes : [];
  const codes = kind === 'code' ? [construct.text] : attributes.map(({ code }) => code);
  const paths = codes.flatMap((code) => [...code.matchAll(pathInCode)]);
  return paths.map(([, , target = '']) => ({ kind: 'source', target, line }));
}

/** Reads each kind of node, and what stands in it. Of a node that is not listed, only that is read. */
const visitors: {
  readonly [Type in Nodes['type']]?: (walk: Walk, node: Extract<Nodes, { type: Type }>) => void;
} = {
  heading: (walk, node) => walk.addSection(node, node.depth, walk.body.ids.get(lineOf(node))),
  paragraph(walk, node) {
    walk.write(' ');
    walk.children(node);
  },
  list(walk, node) {
    const { isOrdered } = walk;
    walk.isOrdered = node.ordered === true;
    walk.children(node);
    walk.isOrdered = isOrdered;
  },
  listItem(walk, node) {
    const [first, ...rest] = node.children;
    if (first?.type !== 'paragraph') {
      walk.children(node);
      return;
    }
    walk.addBlock(first, { kind: 'list-item' }, () => {
      walk.write(node.checked == null ? '' : node.checked ? '☑ ' : '☐ ');
      walk.children(first);
      // What follows makes paragraphs of its own.
      walk.isInWords = false;
      walk.visit(rest);
    });
  },
  table(walk, node) {
    const [head, ...rows] = node.children;
    walk.addBlock(node, { kind: 'table' }, (table) => {
      for (const cell of head?.children ?? []) {
        const { text } = walk.addBlock(cell, { kind: 'column' });
        table.title ||= text;
      }
      walk.visit(rows);
      const shown = Math.min(head?.children.length ?? 0, maxColumns);
      for (const cell of rows.flatMap((row) => row.children.slice(shown))) {
        walk.addText('unseen', walk.sourceOf(cell), cell);
      }
    });
  },
  tableRow: (walk, node) => void walk.addBlock(node, { kind: 'row' }),
  tableCell: addCell,
  code(walk, node) {
    const [language, meta, text] = [node.lang ?? '', node.meta ?? '', node.value];
    const title = meta.replace(/\{[^}]*\}|\S+=\S*/gu, '').trim();
    walk.addBlock(node, { kind: 'sample', name: language, title }, () => walk.write(text));
    walk.constructs.push({ kind: 'sample', language, meta, text, line: lineOf(node) });
  },
  image(walk, node) {
    walk.addPicture(node.url, node.alt, node);
    walk.addLink('source', node.url, node);
    walk.addText('unseen', node.title, node);
  },
  imageReference(walk, node) {
    walk.addPicture(walk.definitions.get(node.identifier) ?? '', node.alt, node);
  },
  link(walk, node) {
    walk.addLink('link', node.url, node);
    walk.addText('unseen', node.title, node);
    walk.addLinked(node, node.url);
  },
  linkReference(walk, node) {
    const target = walk.definitions.get(node.identifier) ?? '';
    walk.block?.targets.push(target);
    walk.addLinked(node, target);
  },
  definition(walk, node) {
    walk.addLink('link', node.url, node);
    walk.addText('unseen', walk.sourceOf(node), node);
  },
  footnoteDefinition(walk, node) {
    walk.addText('unseen', walk.sourceOf(node), node);
    walk.children(node);
  },
  text(walk, node) {
    walk.write(node.value);
    // Mintlify makes links of addresses in a text, also where they are written with an escape.
    for (const address of addressesIn(node.value.replace(/(?<![/.\w])www\./giu, 'https://www.'))) {
      walk.addLink('link', address, node);
    }
  },
  break: (walk) => walk.write(' '),
  delete(walk, node) {
    walk.addText('markup', walk.sourceOf(node), node);
    walk.children(node);
  },
  inlineCode(walk, node) {
    walk.write(node.value);
    walk.block?.codes.push(node.value);
    walk.addText('inline-code', node.value, node);
  },
  inlineMath: addFormula,
  math: (walk, node) =>
    void walk.addBlock(node, { kind: 'sample', name: 'math' }, () => addFormula(walk, node)),
  html: (walk, node) => walk.addText('markup', node.value, node),
  mdxFlowExpression: addExpression,
  mdxTextExpression: addExpression,
  mdxjsEsm(walk, node) {
    const line = lineOf(node);
    for (const name of namesIn(node.value)) {
      walk.names.add(name);
    }
    const { imports, isAll } = importsIn(node.data?.estree);
    walk.constructs.push(...imports.map((one) => ({ kind: 'import' as const, ...one, line })));
    if (!isAll) {
      walk.addText('code', node.value, node);
    }
  },
  mdxJsxFlowElement: addElement,
  mdxJsxTextElement: addElement,
};

/** More is a text of its own, which stands in the address alone. */
const longestId = 60;

/** Nobody scrolls to more of them. */
const maxColumns = 20;

/** A block of which not everything is read yet. */
interface OpenBlock extends Block {
  title: string;
  text: string;
  readonly targets: string[];
  readonly codes: string[];
}

/** Blocks of words: the words in one make no paragraph. The other blocks have the text of all blocks in them. */
const wordKinds: readonly BlockKind[] = ['section', 'column', 'row', 'list-item', 'paragraph'];

/** What makes a paragraph of what stands around it. */
const words = 'a inlineCode inlineMath link linkReference emphasis strong delete'.split(' ');

function isWords(node: Nodes): boolean {
  return node.type === 'text'
    ? node.value.trim() !== ''
    : node.type !== 'mdxJsxFlowElement' && words.includes(partOf(node));
}

/** The name of an element of JSX, or else the kind of a node. */
function partOf(node: Nodes): string {
  return 'name' in node && node.name ? node.name : node.type;
}

function definitionsIn(nodes: readonly Nodes[]): readonly Definition[] {
  return nodes.flatMap((node) =>
    node.type === 'definition' ? node : 'children' in node ? definitionsIn(node.children) : [],
  );
}

/** One walk of a page's tree, which collects everything that the rules ask about. */
class Walk {
  readonly body: Body;
  readonly blocks: OpenBlock[] = [];
  readonly constructs: Construct[] = [];
  readonly anchors = new Set<string>();
  readonly names = new Set<string>();
  /** Where references lead, by their names. */
  readonly definitions = new Map<string, string>();
  /** All that readers see, in parts. */
  readonly written: string[] = [];
  /** The innermost block around what is read. */
  block: OpenBlock | undefined;
  /** Whether what is read belongs to the words of that block. */
  isInWords = false;
  /** Whether what is read belongs to a list with numbers. */
  isOrdered = false;
  private depth = 0;
  private sections: readonly { readonly depth: number; readonly block: Block }[] = [];

  constructor(body: Body) {
    this.body = body;
  }

  read(root: Root): void {
    // Of two with one name, the first one counts.
    for (const node of definitionsIn([root]).toReversed()) {
      this.definitions.set(node.identifier, node.url);
    }
    this.visit([root]);
  }

  visit(nodes: readonly Nodes[]): void {
    this.depth += 1;
    for (const node of nodes) {
      if (this.depth === tooDeep) {
        this.addText('unseen', this.sourceOf(node), node);
      }
      const visitor: ((walk: Walk, node: never) => void) | undefined = visitors[node.type];
      if (visitor === undefined) {
        this.children(node);
      } else {
        visitor(this, node as never);
      }
    }
    this.depth -= 1;
  }

  /** Reads what stands in a node. Words that stand in no block of words become a paragraph. */
  children(node: Nodes): void {
    const nodes = 'children' in node ? node.children : [];
    if (!this.isInWords && nodes.some(isWords)) {
      this.addBlock(node, { kind: 'paragraph' });
    } else {
      this.visit(nodes);
    }
  }

  /**
   * Headings in a block, such as those of a tab, are no headings of what follows.
   *
   * @param read reads what stands in the block
   */
  addBlock(
    node: Nodes,
    block: Pick<Block, 'kind'> & Partial<Pick<Block, 'name' | 'title' | 'text' | 'facets'>>,
    read: (block: OpenBlock) => void = () => this.children(node),
  ): OpenBlock {
    this.write(' ');
    const start = this.written.length;
    const added: OpenBlock = {
      name: '',
      title: '',
      text: '',
      line: lineOf(node),
      section: this.sections.at(-1)?.block,
      parent: this.block,
      targets: [],
      codes: [],
      facets: {},
      isStep: block.kind === 'step' || (block.kind === 'list-item' && this.isOrdered),
      ...block,
    };
    this.blocks.push(added);
    const { block: outer, isInWords, sections } = this;
    this.block = added;
    this.isInWords = wordKinds.includes(block.kind);
    read(added);
    [this.block, this.isInWords, this.sections] = [outer, isInWords, sections];
    if (wordKinds.includes(block.kind)) {
      added.text = tidy(added.text);
    } else if (!['sample', 'picture', 'include'].includes(block.kind)) {
      added.text = this.writtenSince(start);
    }
    return added;
  }

  addSection(node: Nodes, depth: number, id = '', read?: () => void): void {
    this.sections = this.sections.filter((outer) => outer.depth < depth);
    const block = this.addBlock(node, { kind: 'section' }, read);
    this.sections = [...this.sections, { depth, block }];
    this.addAnchors(...(id === '' ? slugsOf(block.text) : [cleanAnchor(id), id]));
    this.addText('unseen', id.slice(longestId), node);
  }

  addPicture(address: string, alt: string | null | undefined, node: Nodes): void {
    this.addBlock(node, { kind: 'picture', text: address }, () => {});
    this.addText('alt-text', alt, node);
  }

  /** Adds a component that shows what another file says, if an import above it or its own attribute names the file. */
  addInclude(element: Element, node: Nodes): void {
    const [name = ''] = element.name.split('.');
    const source = this.constructs.find((one) => one.kind === 'import' && one.names.includes(name));
    const file = source?.kind === 'import' ? source.target : attributeText(element, 'file');
    if (file !== '') {
      this.addBlock(node, { kind: 'include', title: element.name, text: file }, () => {});
    }
  }

  /** Adds what readers see. */
  write(text: string): void {
    this.written.push(text);
    if (this.block !== undefined) {
      this.block.text += text;
    }
  }

  /** Which component makes which anchor differs between versions of Mintlify: all that may be are added. */
  addAnchors(...slugs: readonly string[]): void {
    for (const slug of slugs.filter((one) => one !== '')) {
      this.anchors.add(slug);
    }
  }

  addLink(kind: AddressKind, written: string, node: Nodes): void {
    const target = written.trim();
    if (kind === 'link') {
      this.block?.targets.push(target);
    }
    if (kind === 'link' || target !== '') {
      this.constructs.push({ kind, target, line: lineOf(node) });
    }
  }

  /** Reads what a link shows: it has to be something, and not the name of another site. */
  addLinked(node: Nodes, target: string): void {
    const [start, first] = [this.written.length, this.constructs.length];
    this.children(node);
    const words = this.writtenSince(start);
    const shows = (one: Construct) => one.kind === 'element' && /^(?:Icon|img)$/u.test(one.name);
    const added = this.constructs.slice(first);
    if (words === '' && !added.some((one) => one.kind === 'source' || shows(one))) {
      this.addText('unseen', this.sourceOf(node), node);
    }
    addDisguised(this, words, target, node);
  }

  addText(kind: TextKind, text: string | null | undefined, node: Nodes): void {
    if (text) {
      this.constructs.push({ kind, text, line: lineOf(node) });
    }
  }

  writtenSince(start: number): string {
    return tidy(this.written.slice(start).join(''));
  }

  sourceOf({ position }: Nodes): string {
    return this.body.text.slice(position?.start.offset, position?.end.offset);
  }
}

/** Real pages nest half as deep: with each level, boxes get narrower and texts smaller. */
const tooDeep = 20;

/** The host of an address in a text, or a name that ends as one of a site does: `next.config.js` is none. */
const siteName =
  /(?<=:\/\/)[\w-]+(?:\.[\w-]+)*|(?<![\w.-])(?:[\w-]+\.)+(?:com|net|org|io|dev|ai|app|co|cloud|sh)(?![\w-]|\.\w)/iu;

/** @param words of a link to `target` */
function addDisguised(walk: Walk, words: string, target: string, node: Nodes): void {
  const [named] = siteName.exec(words.toLowerCase()) ?? [];
  const { hostname = '' } = URL.parse(target) ?? {};
  if (named && hostname && !`.${hostname}`.endsWith(`.${named.replace(/^www\./u, '')}`)) {
    walk.addText('disguised', walk.sourceOf(node), node);
  }
}

/** A cell's text is a part of its row, which is known by its first cell. */
function addCell(walk: Walk, node: Nodes): void {
  const { block: row } = walk;
  if (row?.text.trim()) {
    walk.write(' | ');
  }
  walk.children(node);
  if (row !== undefined) {
    row.title ||= tidy(row.text);
  }
}

function addFormula(walk: Walk, node: Extract<Nodes, { type: 'math' | 'inlineMath' }>): void {
  walk.write(node.value);
  walk.block?.codes.push(node.value);
  walk.addText('formula', node.value, node);
}

function addExpression(walk: Walk, node: MdxFlowExpression | MdxTextExpression): void {
  const program = node.data?.estree;
  const literal = literalOf(program);
  if (program?.body.length === 0) {
    walk.addText('comment', node.value.replace(/^\s*\/[*/]\s*|\s*\*\/\s*$/g, ''), node);
  } else if (literal === undefined || (typeof literal === 'object' && literal !== null)) {
    walk.write(`{${node.value}}`);
    walk.addText('code', node.value, node);
  } else {
    walk.write(String(literal));
  }
}

/** Elements that readers see as one thing, by the kind of block that each is. */
const blockElements: ReadonlyMap<string, BlockKind> = byName({
  section: 'h1 h2 h3 h4 h5 h6',
  callout: 'Note Warning Info Tip Check Danger Callout',
  picture: 'img video source iframe',
  parameter: 'ParamField ResponseField Param',
  tab: 'Tab View',
  accordion: 'Accordion Expandable Update details',
  card: 'Card Tile',
  step: 'Step',
  table: 'table',
  row: 'tr',
  'list-item': 'li',
});

/** Attributes of components that readers see as text. */
const titleNames = ['label', 'title'];
const shownNames = ['headline', 'description', 'caption', 'hint', 'tip', 'cta', 'placeholder'];
const parameterNames = ['query', 'path', 'body', 'header', 'name'];
const parameterFacets = 'type required default initialValue deprecated enum pre post'.split(' ');

/** Elements whose text is smaller than that around them, and too small in each other. */
const smaller = /^(?:code|kbd|inlineCode)$/u;

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

function addElement(walk: Walk, node: JsxElement): void {
  const { name } = node;
  if (name === null) {
    walk.children(node);
    return;
  }
  const attributes = node.attributes.map(attributeOf);
  const isEmpty = node.children.length === 0;
  const line = lineOf(node);
  const element = { kind: 'element' as const, name, attributes, content: '', isEmpty, line };
  walk.constructs.push(element);
  walk.addAnchors(...anchorsOf(element));
  const start = walk.written.length;
  const kind = blockElements.get(name);
  const read = () => readElement(walk, node, element);
  switch (kind) {
    case undefined: {
      read();
      if (walk.writtenSince(start) === '') {
        walk.addInclude(element, node);
      }
      break;
    }
    case 'section':
      walk.addSection(node, Number(name.slice(1)), attributeText(element, 'id'), read);
      break;
    case 'picture':
      walk.addPicture(attributeText(element, 'src'), attributeText(element, 'alt'), node);
      read();
      break;
    default: {
      const title = attributeText(element, 'title') || attributeText(element, 'label');
      const parameter = kind === 'parameter' ? parameterOf(element) : {};
      walk.addBlock(node, { kind, name, title, ...parameter }, read);
    }
  }
  const content = walk.writtenSince(start);
  element.content = components.has(name) ? '' : content;
  if (/^(?:code|kbd|pre)$/u.test(name)) {
    walk.addText('inline-code', content, node);
  }
}

/** Reads what the attributes show and lead to, and what stands in the element. */
function readElement(walk: Walk, node: JsxElement, element: Element): void {
  const { name, attributes } = element;
  for (const attribute of attributes) {
    addAddresses(walk, name, attribute, node);
  }
  const isMark = walk.block?.kind === 'list-item' && walk.block.text.trim() === '';
  if (name === 'Icon' && (isMark || walk.block?.kind === 'row')) {
    // In a cell or at the beginning of an item, an icon is a value.
    walk.write(attributeText(element, 'icon'));
  }
  addShownAttributes(walk, node, element);
  addUnseen(walk, name, node.children);
  const href = attributeText(element, 'href');
  // A card can speak of other sites below its title.
  addDisguised(walk, attributeText(element, 'title'), href, node);
  if (name === 'td' || name === 'th') {
    addCell(walk, node);
  } else if (name === 'a' && href !== '') {
    walk.addLinked(node, href);
  } else {
    walk.children(node);
  }
}

function addShownAttributes(walk: Walk, node: JsxElement, element: Element): void {
  const picture = attributeText(element, 'img');
  if (picture !== '') {
    walk.addPicture(picture, '', node);
  }
  const textsOf = (names: readonly string[]) =>
    names.map((shownName) => attributeText(element, shownName)).join(' ');
  const [title, shown] = [textsOf(titleNames), textsOf(shownNames)];
  // A block is called by its title. A caption or a tip is a paragraph, unless it belongs to words around it.
  const [called, said] = blockElements.has(element.name)
    ? [title, shown]
    : ['', `${title} ${shown}`];
  walk.write(` ${called} `);
  if (said.trim() !== '' && !walk.isInWords) {
    // What only a pointer shows takes no text's place.
    const name = element.name === 'Tooltip' ? element.name : '';
    walk.addBlock(node, { kind: 'paragraph', name }, () => walk.write(said));
  } else {
    walk.write(` ${said} `);
  }
}

/** Adds what stands in an element that does not show it. */
function addUnseen(walk: Walk, name: string, nodes: readonly Nodes[]): void {
  for (const node of nodes) {
    if (node.type === 'paragraph') {
      addUnseen(walk, name, node.children);
      continue;
    }
    const isVoid = /^(?:br|hr|img|source)$/u.test(name);
    const isTooSmall = smaller.test(name) && smaller.test(partOf(node));
    if (
      isTooSmall ||
      (!showsPart(name, partOf(node)) && (isVoid || !blank.test(walk.sourceOf(node))))
    ) {
      walk.addText('unseen', walk.sourceOf(node), node);
    }
  }
}

/** White space, or a comment, which is a construct of its own. */
const blank = /^(?:\s*|\{\s*(?:\/\*[\s\S]*\*\/|(["'`])\s*\1)?\s*\})$/u;

/** What a parameter is called, and what else is said of it. */
function parameterOf(element: Element): Pick<Block, 'title' | 'facets'> {
  const { attributes } = element;
  const named = attributes.find(({ name }) => parameterNames.includes(name))?.name ?? '';
  const facets = attributes
    .filter(({ name }) => parameterFacets.includes(name))
    .map(({ name, value, code }) => [name, value === undefined ? code : JSON.stringify(value)]);
  return {
    title: `${named} ${attributeText(element, named)}`.trim(),
    facets: Object.fromEntries(facets),
  };
}

/** The anchors that an element's attributes may make. Of an update, the version stands in the description. */
function anchorsOf(element: Element): readonly string[] {
  const textsOf = (...names: readonly string[]) =>
    names.map((name) => attributeText(element, name));
  const ids = textsOf('id', 'name');
  const titles = textsOf('title', 'label', 'description');
  return [...ids, ...ids.map(cleanAnchor), ...titles.flatMap(slugsOf)];
}

/** What an attribute leads to. A component's own `src` may be anything. */
function addAddresses(
  walk: Walk,
  element: string,
  { name, value = null }: Attribute,
  node: Nodes,
): void {
  const isLink = /^href$/i.test(name);
  const isSource = /^[a-z]/.test(element) && /^(?:src|poster)$/i.test(name);
  for (const text of textsIn(value)) {
    if (element === 'Snippet' && name === 'file') {
      const target = `/snippets/${text.replace(/^\/+/, '')}`;
      walk.constructs.push({
        kind: 'import',
        target,
        names: [],
        isDefault: true,
        line: lineOf(node),
      });
    } else if (
      isLink ||
      isSource ||
      name === 'img' ||
      (name === 'icon' && text.includes(':')) ||
      address.test(text.trim())
    ) {
      walk.addLink(isLink ? 'link' : 'source', text, node);
    }
  }
}

const address = /^(?:[a-z][a-z\d+.-]*:\/\/\S|\/\/?[^\s/]|\.{1,2}\/|mailto:|javascript:|data:)\S*$/i;

/** All texts in a value that is written out. */
export function textsIn(value: Literal): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function attributeOf(node: JsxElement['attributes'][number]): Attribute {
  if (node.type === 'mdxJsxExpressionAttribute') {
    return { name: '', value: undefined, code: node.value };
  }
  const { name, value } = node;
  if (typeof value !== 'object' || value === null) {
    return { name, value: value ?? true, code: '' };
  }
  const literal = literalOf(value.data?.estree);
  return { name, value: literal, code: literal === undefined ? value.value : '' };
}

/** The text of an attribute; empty for none. */
function attributeText({ attributes }: Element, name: string): string {
  const value = attributes.findLast((one) => one.name === name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** A text without its line breaks and indentation. */
function tidy(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Characters that nobody sees, or that turn the order of others. One selector after a character chooses its form. */
const invisible =
  /(?![\t\n\r])\p{C}|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|(?<![\p{Emoji}\p{S}\p{P}])[\uFE0E\uFE0F]|\u2800/u;

/** Where such characters belong: in emoji, in flags, and between letters of scripts that need joiners. */
const joiners =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D|\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}])[\u200C\u200D]/gu;

/** The first character of each line that nobody sees, with what is around it, also if it is written as a reference. */
function invisibleIn(text: string): readonly Construct[] {
  return text.split('\n').flatMap((raw, index): readonly Construct[] => {
    const line = raw.includes('&') ? decodeString(raw) : raw;
    // Most lines are plain ASCII.
    const found = /[^\t\r\x20-\x7e]/.test(line) ? invisible.exec(line.replace(joiners, '')) : null;
    // All that follows it, since that can hide more of them.
    const rest = found && line.slice(Math.max(found.index - 20, 0));
    return rest === null ? [] : [{ kind: 'invisible', text: rest, line: index + 1 }];
  });
}
