import type { Element, Nodes, Properties } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { compile, parse, postprocess, preprocess } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { defaultTreeAdapter, html as names, type ParserError, parseFragment } from 'parse5';
import { withSlashes } from './dialects.ts';
import { type HiddenKind, visiblePlainText } from './visible-text.ts';

/** A rendered document as its readers see it. */
export interface Page {
  readonly tree: Nodes;
  /** HTML before anything was taken out of it. */
  readonly html: string;
  /** What the HTML hides, one entry for each part. */
  readonly hidden: readonly HiddenKind[];
}

/**
 * Renders Markdown as GitHub does: first to HTML, which is read as a browser reads it, and then rid of
 * what GitHub does not let through. Of what is left, all attributes go but addresses and the few that
 * Markdown itself needs.
 */
export function renderPage(markdown: string): Page {
  const parser = parse({ extensions: [gfm()] });
  const events = postprocess(parser.document().write(preprocess()(markdown, undefined, true)));
  let images = 0;
  const rendered = events.filter(([step, { type }]) => {
    if (type === 'image') {
      images += step === 'enter' ? 1 : -1;
    }
    // The description of an image has no tags, but micromark would write them into it.
    return images === 0 || !type.startsWith('htmlText');
  });
  const html = compile({ allowDangerousHtml: true, htmlExtensions: [gfmHtml()] })(rendered);
  return readHtml(withSlashes(html));
}

function readHtml(html: string): Page {
  const hidden: HiddenKind[] = [];
  const onParseError = ({ code }: ParserError) => {
    const kind = kindsOfErrors[code];
    if (kind !== undefined) {
      hidden.push(kind);
    }
  };
  const root = fromParse5(parseFragment(body, html, { scriptingEnabled: false, onParseError }));
  addHidden(root, hidden);
  hidden.push(...(html.match(/<!doctype/gi) ?? []).map(() => 'comment' as const));
  const tree = sanitize(root, schema);
  dropEmptyLinks(tree, hidden);
  return { tree, html, hidden };
}

/** Where the HTML stands on GitHub's pages. */
const body = defaultTreeAdapter.createElement('div', names.NS.HTML, []);

/** What a browser drops while it reads, so that the tree does not show it. */
const kindsOfErrors: Readonly<Record<string, HiddenKind>> = {
  'duplicate-attribute': 'attribute',
  'end-tag-with-attributes': 'attribute',
  'eof-in-tag': 'passage',
};

/** Elements whose content nobody sees: browsers show it only where they lack a feature, or never. */
const hidingTags = [
  ...['audio', 'iframe', 'math', 'noembed', 'noframes', 'noscript', 'object', 'plaintext', 'rp'],
  ...['script', 'style', 'svg', 'template', 'textarea', 'title', 'video', 'xmp'],
];

const shownTags = (defaultSchema.tagNames ?? []).filter((tag) => !hidingTags.includes(tag));

/** GitHub's own rules, without the attributes that no reader sees. */
const schema: Schema = {
  ...defaultSchema,
  tagNames: shownTags,
  strip: hidingTags,
  attributes: {
    a: ['href', 'dataFootnoteBackref', 'dataFootnoteRef'],
    img: ['src'],
    // A language as GitHub's highlighter names them; longer words are no language.
    code: [['className', /^language-[\w+#.-]{1,30}$/]],
    input: ['checked', 'disabled', 'type'],
    ol: ['start'],
    section: ['dataFootnotes'],
    td: ['align'],
    th: ['align'],
  },
};

function addHidden(node: Nodes, hidden: HiddenKind[]): void {
  if (node.type === 'comment') {
    hidden.push('comment');
  } else if (node.type === 'element' && hidingTags.includes(node.tagName)) {
    hidden.push('passage');
  } else if ('children' in node) {
    hidden.push(...(node.type === 'element' ? hiddenInTag(node) : []));
    for (const child of node.children) {
      addHidden(child, hidden);
    }
  }
}

/** Attributes that Markdown has names for. */
const kindsOfAttributes: Readonly<Record<string, HiddenKind>> = {
  alt: 'description',
  title: 'title',
};

function hiddenInTag({ tagName, properties }: Element): readonly HiddenKind[] {
  if (isOfFootnotes(properties)) {
    return [];
  }
  const attributes = Object.entries(properties)
    .filter(([name, value]) => !isKept(tagName, name, String(value)))
    // Images without a description have an empty one.
    .filter(([name, value]) => name !== 'alt' || value !== '')
    .map(([name]) => kindsOfAttributes[name] ?? 'attribute');
  return shownTags.includes(tagName) ? attributes : ['tag', ...attributes];
}

function isKept(tag: string, attribute: string, value: string): boolean {
  const rules = schema.attributes?.[tag] ?? [];
  return rules.some((rule) =>
    typeof rule === 'string'
      ? rule === attribute
      : rule[0] === attribute &&
        rule.slice(1).some((allowed) => allowed instanceof RegExp && allowed.test(value)),
  );
}

/** What the renderer adds to footnotes is nothing that anyone hid. */
function isOfFootnotes({ id, ...properties }: Properties): boolean {
  return (
    Object.keys(properties).some((name) => name.startsWith('dataFootnote')) ||
    /^(?:footnote-label$|user-content-fn-)/.test(String(id))
  );
}

/** A link that shows nothing cannot be followed. */
function dropEmptyLinks(node: Nodes, hidden: HiddenKind[]): void {
  if ('children' in node) {
    node.children = node.children.filter((child) => {
      const isEmpty = child.type === 'element' && child.tagName === 'a' && !showsSomething(child);
      if (isEmpty && child.properties['href'] !== undefined) {
        hidden.push('link');
      }
      dropEmptyLinks(child, hidden);
      return !isEmpty;
    });
  }
}

function showsSomething(node: Nodes): boolean {
  if (node.type === 'text') {
    return visiblePlainText(node.value).text.trim() !== '';
  }
  return 'children' in node
    ? (node.type === 'element' && node.tagName === 'img') || node.children.some(showsSomething)
    : false;
}
