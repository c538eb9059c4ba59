import type { Link } from './page.ts';
import { addressesIn, isAddress, isAddressName, targetsOf } from './page-addresses.ts';
import { lineOf, type Outline, startOffset } from './page-outline.ts';
import {
  bodyOf,
  type Constants,
  child,
  eachNode,
  foldString,
  type ScriptNode,
  text,
} from './page-script.ts';
import { stringsIn, stringsOf } from './page-strings.ts';
import type { Attribute, Tag } from './page-tag.ts';
import { isImageFile, isVideoFile } from './page-url.ts';

interface Place {
  readonly target: string;
  readonly kind: Link['kind'];
}

/** All addresses in a page, in no promised order. */
export function linksOf(outline: Outline, constants: Constants): readonly Link[] {
  const links = [...namedLinks(outline, constants), ...textLinks(outline)];
  const known = new Set(links.map(keyOf));
  const others = otherLinks(outline, constants).filter((link) => !known.has(keyOf(link)));
  return [...links, ...new Map(others.map((link) => [keyOf(link), link])).values()];
}

function keyOf({ line, target }: Link): string {
  return `${line} ${target}`;
}

/** Addresses that stand where addresses belong. */
function namedLinks(outline: Outline, constants: Constants): readonly Link[] {
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

/** What becomes a link though its marks are written as entities or with a backslash. */
function textLinks({ nodes }: Outline): readonly Link[] {
  let endOfLink = -1;
  return nodes.flatMap((node): readonly Link[] => {
    if (node.type === 'link') {
      endOfLink = node.position?.end.offset ?? -1;
    }
    if (node.type !== 'text' || startOffset(node) < endOfLink) {
      return [];
    }
    return (node.value.match(bareAddress) ?? []).map((address) => {
      const target = address.replace(/[)\]}.,;:!?*_'"]+$/, '');
      return { target: withScheme(target), kind: 'link', line: lineOf(node) };
    });
  });
}

function withScheme(address: string): string {
  return /^www/i.test(address) ? `http://${address}` : address;
}

const bareAddress = /(?:https?:\/\/|www(?=\.))[-.\w][^\s<]{0,500}/gi;

/** Addresses of other hosts and files that stand anywhere else: a component decides what it does with them. */
function otherLinks(outline: Outline, constants: Constants): readonly Link[] {
  const { tags, lineAt } = outline;
  const values = tags.flatMap(({ attributes }) =>
    attributes.map(({ value = '', start }) => ({ value, start })),
  );
  return [...values, ...stringsIn(outline, constants)].flatMap(({ value, start }) =>
    addressesIn(value).map((target) => ({
      target,
      kind: isImageFile(target) ? 'image' : 'link',
      line: lineAt(start),
    })),
  );
}

function kindOfFile(url: string): Link['kind'] {
  return isVideoFile(url) ? 'embed' : 'image';
}

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
  if (expression === undefined) {
    return [];
  }
  const choices = isAddressName(name) ? stringsOf(expression, constants) : [];
  return [
    ...choices
      .filter((choice) => isAddress(tag.name, name, choice.value))
      .flatMap((choice) => targetsOf(name, choice.value))
      .map((target) => place(tag.name, name, target)),
    ...placesIn(expression, constants),
  ];
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
