import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { emptyComment, emptyTag, type HiddenKind } from './cut.ts';
import { isLetThrough } from './tags.ts';
import {
  type Context,
  type Definition,
  type Handler,
  type Link,
  nowhere,
  rangeOf,
  type Token,
  type Walk,
} from './walk.ts';

/** What would belong to a link, behind its text in brackets. */
const looseResource = /\(\s*(?:<[^<>\n]*>|[^ \t\r\n]+)(\s+(?:"[^"]*"|'[^']*'|\([^()]*\))\s*)\)/y;
const looseLabel = /\[([^[\]]+)\]/y;

/**
 * Brackets that make no link here may make one on GitHub, which has its own view of links inside
 * links and of addresses with brackets: a title or label is taken out all the same.
 */
export const readText: Handler = (walk, token) => {
  const { start, end } = rangeOf(token);
  walk.show({ start, end });
  for (let at = start; walk.unrendered === 0 && at < end; at += 1) {
    const character = walk.text.charAt(at);
    if (character === '[') {
      walk.brackets.push(at);
    } else if (character === ']') {
      readLoose(walk, walk.brackets.pop(), at + 1);
    }
  }
};

function readLoose(walk: Walk, open: number | undefined, at: number): void {
  if (open === undefined) {
    return;
  }
  looseResource.lastIndex = at;
  const [resource, title] = looseResource.exec(walk.text) ?? [];
  if (resource !== undefined && title !== undefined) {
    const end = at + resource.length - 1;
    walk.cut({ start: end - title.length, end }, 'title');
    cutLooseDescription(walk, open, at - 1);
    return;
  }
  looseLabel.lastIndex = at;
  const label = looseLabel.exec(walk.text)?.[1];
  if (label !== undefined) {
    const range = { start: at + 1, end: at + 1 + label.length };
    walk.looseLabels.push({ ...range, id: normalizeIdentifier(label), open });
  }
}

/** What makes an image on GitHub alone has its description hidden there, too. */
function cutLooseDescription(walk: Walk, open: number, close: number): void {
  if (walk.text.charAt(open - 1) === '!') {
    walk.cut({ start: open + 1, end: close }, 'description');
  }
}

function beginLink(walk: Walk, isImage: boolean): void {
  if (isImage) {
    walk.showImage();
  }
  walk.links.push({
    isImage,
    isHidden: walk.unrendered > 0,
    isInText: false,
    hasText: false,
    hasResource: false,
    text: nowhere,
    label: '',
  });
  walk.unrendered += isImage ? 1 : 0;
}

const endLink: Handler = (walk, token) => {
  const link = walk.links.pop();
  walk.unrendered -= link?.isImage === true ? 1 : 0;
  if (link === undefined || link.isHidden) {
    return;
  }
  if (!link.isImage && !link.hasText) {
    walk.cuts.push({ ...rangeOf(token), place: 'inline', standIn: emptyTag, kind: 'link' });
    return;
  }
  if (link.isImage) {
    walk.cut(link.text, 'description');
  }
  if (!link.hasResource) {
    const { start, end } = link.reference ?? { start: token.end.offset, end: token.end.offset };
    const hidesLabel = end - start > 2;
    const id = normalizeIdentifier(link.label);
    walk.references.push({ id, isImage: link.isImage, hidesLabel, start, end });
    return;
  }
  cutResource(walk, link, token.end.offset - 1);
};

function cutResource(walk: Walk, { destination, title, isImage }: Link, close: number): void {
  if (destination !== undefined && !isAddressShown(walk.slice(destination), isImage)) {
    walk.cut(destination, 'address');
  }
  if (title !== undefined && destination !== undefined) {
    walk.cut({ start: destination.end, end: close }, 'title');
  }
}

/** Does something with the link or image that is being read. */
function withLink(handle: (link: Link, token: Token, context: Context) => void): Handler {
  return (walk, token, context) => {
    const link = walk.links.at(-1);
    if (link !== undefined) {
      handle(link, token, context);
    }
  };
}

const startLinkText: Handler = withLink((link, token, context) => {
  link.isInText = true;
  link.text = rangeOf(token);
  link.label = context.sliceSerialize(token);
});

const endLinkText: Handler = withLink((link) => {
  link.isInText = false;
});

/** What a construct holds in strings is not rendered as Markdown. */
export const hideInside: Handler = (walk) => {
  walk.unrendered += 1;
};
export const showAgain: Handler = (walk) => {
  walk.unrendered -= 1;
};

function withStrings(handle: Handler): Handler {
  return (walk, token, context) => {
    walk.unrendered += 1;
    handle(walk, token, context);
  };
}

export const onEnterLink: Readonly<Record<string, Handler>> = {
  link: (walk) => beginLink(walk, false),
  image: (walk) => beginLink(walk, true),
  labelText: startLinkText,
  reference: withStrings(
    withLink((link, token) => {
      link.reference = rangeOf(token);
    }),
  ),
  referenceString: withLink((link, token, context) => {
    link.label = context.sliceSerialize(token);
  }),
  resource: withStrings(
    withLink((link) => {
      link.hasResource = true;
    }),
  ),
  resourceDestination: withLink((link, token) => {
    link.destination = rangeOf(token);
  }),
  resourceTitle: withLink((link, token) => {
    link.title = rangeOf(token);
  }),
  definition: withStrings((walk) => {
    walk.definition = { id: '', destination: nowhere };
  }),
  definitionLabelString: ({ definition }, token, context) => {
    definition.id = normalizeIdentifier(context.sliceSerialize(token));
  },
  definitionDestination: ({ definition }, token) => {
    definition.destination = rangeOf(token);
  },
  definitionTitle: ({ definition }, token) => {
    definition.title = rangeOf(token);
  },
};

export const onExitLink: Readonly<Record<string, Handler>> = {
  link: endLink,
  image: endLink,
  labelText: endLinkText,
  reference: showAgain,
  resource: showAgain,
  definition: (walk, token) => {
    walk.unrendered -= 1;
    walk.definitions.push({ ...walk.definition, ...rangeOf(token) });
  },
};

/** Characters that addresses may always add; beyond that they may double a text, and no more. */
const smallDocument = 10_000;

/**
 * Writes the address of each reference behind its text, and takes all definitions out: their labels
 * and titles are seen by nobody.
 *
 * @throws RangeError where the text would grow beyond measure
 */
export function resolveReferences(walk: Walk): void {
  const known = new Map(walk.definitions.toReversed().map((found) => [found.id, found]));
  const used = addAddresses(walk, known);
  for (const { id, start, end, open } of walk.looseLabels) {
    if (known.has(id)) {
      walk.cut({ start, end }, 'label');
      cutLooseDescription(walk, open, start - 2);
    }
  }
  for (const definition of walk.definitions) {
    const { start, end } = definition;
    const kind = definitionKind(definition, used.has(definition));
    walk.cuts.push({ start, end, place: 'block', standIn: emptyComment, ...(kind && { kind }) });
  }
}

function addAddresses(walk: Walk, known: ReadonlyMap<string, Definition>): ReadonlySet<Definition> {
  const used = new Set<Definition>();
  let roomLeft = walk.text.length + smallDocument;
  for (const { id, isImage, hidesLabel, start, end } of walk.references) {
    const definition = known.get(id);
    if (definition !== undefined) {
      used.add(definition);
      const written = walk.slice(definition.destination);
      const address = isAddressShown(written, isImage) ? written : '';
      roomLeft -= address.length;
      walk.cut({ start, end }, hidesLabel ? 'label' : undefined, `(${address})`);
    }
  }
  if (roomLeft < 0) {
    throw new RangeError('References to long addresses make the text longer than twice itself.');
  }
  return used;
}

function definitionKind({ title }: Definition, isUsed: boolean): HiddenKind | undefined {
  if (isUsed) {
    return title === undefined ? undefined : 'title';
  }
  return 'definition';
}

function isAddressShown(written: string, isImage: boolean): boolean {
  const address = decodeString(written.replace(/^<|>$/g, ''));
  return isLetThrough(address, isImage ? 'image' : 'link');
}
