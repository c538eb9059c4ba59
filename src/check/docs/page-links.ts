import type { Link } from './page.ts';
import { lineOf, type Outline } from './page-outline.ts';
import {
  bodyOf,
  type Constants,
  child,
  eachNode,
  foldString,
  type ScriptNode,
  text,
} from './page-script.ts';
import type { Attribute, Tag } from './page-tag.ts';
import { isImageFile, isVideoFile, looksLikeUrl } from './page-url.ts';

interface Place {
  readonly target: string;
  readonly kind: Link['kind'];
}

/** All addresses in a page, in no promised order. */
export function linksOf(outline: Outline, constants: Constants): readonly Link[] {
  return [
    ...markdownLinks(outline),
    ...outline.tags.flatMap((tag) =>
      tag.attributes.flatMap((attribute) => {
        const line = outline.lineAt(attribute.start);
        return placesOf(tag, attribute, constants).map((place) => ({ ...place, line }));
      }),
    ),
    ...exportedLinks(outline, constants),
  ];
}

function markdownLinks({ nodes }: Outline): readonly Link[] {
  return nodes.flatMap((node): readonly Link[] => {
    switch (node.type) {
      case 'link':
      case 'definition':
        return node.url === '' ? [] : [{ target: node.url, kind: 'link', line: lineOf(node) }];
      case 'image':
        return node.url === ''
          ? []
          : [{ target: node.url, kind: kindOfFile(node.url), line: lineOf(node) }];
      default:
        return [];
    }
  });
}

function kindOfFile(url: string): Link['kind'] {
  return isVideoFile(url) ? 'embed' : 'image';
}

/** Names that hold an address in HTML and in components; anything in the first list is one. */
const addressNames = new Set([
  'href',
  'src',
  'srcset',
  'poster',
  'action',
  'formaction',
  'data',
  'xlink:href',
]);
const maybeAddressNames = new Set([
  'url',
  'img',
  'image',
  'icon',
  'link',
  'logo',
  'thumbnail',
  'background',
  'to',
  'cta',
  'light',
  'dark',
]);

function placesOf(tag: Tag, attribute: Attribute, constants: Constants): readonly Place[] {
  const name = attribute.name.toLowerCase();
  if (drawn.has(tag.name)) {
    return [];
  }
  const { expression } = attribute;
  const value = attribute.value ?? foldString(bodyOf(expression), constants);
  if (value !== undefined) {
    return isAddress(tag.name, name, value)
      ? targetsOf(name, value).map((target) => place(tag.name, name, target))
      : [];
  }
  return expression === undefined ? [] : placesIn(expression, constants);
}

/** Elements of a picture that refer to other parts of it. */
const drawn = new Set([
  'use',
  'textPath',
  'mpath',
  'pattern',
  'linearGradient',
  'radialGradient',
  'filter',
]);

function isAddress(tag: string, name: string, value: string): boolean {
  if (value.trim() === '') {
    return false;
  }
  if (addressNames.has(name)) {
    // What such a property of a component means is known to that component alone: it may be a name.
    return name === 'href' || /^[a-z]/.test(tag) || /[/.]/.test(value);
  }
  return maybeAddressNames.has(name) && looksLikeUrl(value);
}

function targetsOf(name: string, value: string): readonly string[] {
  return name === 'srcset'
    ? value.split(/,\s+/).map((part) => part.trim().split(/\s/)[0] ?? '')
    : [value.trim()];
}

const embedding = new Set([
  'iframe',
  'video',
  'embed',
  'object',
  'audio',
  'source',
  'track',
  'frame',
]);
const imageNames = new Set([
  'src',
  'srcset',
  'img',
  'image',
  'icon',
  'poster',
  'logo',
  'thumbnail',
  'background',
]);

function place(tag: string, name: string, target: string): Place {
  if (embedding.has(tag) && name !== 'poster') {
    return { target, kind: isImageFile(target) ? 'image' : 'embed' };
  }
  return { target, kind: imageNames.has(name) ? kindOfFile(target) : 'link' };
}

/** Addresses in objects, such as `cards={[{ title: 'Start', href: '/start' }]}`. */
function placesIn(root: ScriptNode, constants: Constants): readonly Place[] {
  const places: Place[] = [];
  eachNode(root, (node) => {
    if (node.type !== 'Property') {
      return;
    }
    const key = child(node, 'key');
    const name = (text(key, 'name') ?? text(key, 'value') ?? '').toLowerCase();
    const value = foldString(child(node, 'value'), constants);
    if (value !== undefined && isAddress('', name, value)) {
      places.push(...targetsOf(name, value).map((target) => place('', name, target)));
    }
  });
  return places;
}

function exportedLinks({ scripts }: Outline, constants: Constants): readonly Link[] {
  return scripts
    .filter(({ kind }) => kind !== 'attribute')
    .flatMap(({ program, line }) =>
      placesIn(program, constants).map((found) => ({ ...found, line })),
    );
}
