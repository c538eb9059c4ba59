import type { CodeKind } from './page.ts';
import type { Names } from './page-names.ts';
import { bodyOf, type Constants, foldString } from './page-script.ts';
import type { Attribute, Tag } from './page-tag.ts';
import { isScriptUrl, isTextAttribute } from './page-url.ts';
import { isVideoPlayer } from './page-video.ts';

const framing = new Set([
  'iframe',
  'object',
  'embed',
  'applet',
  'frame',
  'frameset',
  'portal',
  'fencedframe',
]);

/** They change what stands around them, ask readers for what they know, or make plain text of what follows. */
const ofDocument = new Set([
  'base',
  'body',
  'form',
  'head',
  'html',
  'link',
  'meta',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'style',
  'xmp',
]);

/** What is dangerous of a tag by its name. A capital letter makes a component of it: `<Frame>` is no `<frame>`. */
export function kindOfTag(tag: Tag, names: Names, constants: Constants): CodeKind | undefined {
  const { name } = tag;
  const kind = kindOfElement(name);
  if (kind === 'frame') {
    return isVideoPlayer(tag, constants) ? undefined : 'frame';
  }
  return kind ?? (isAnyElement(name, names) ? 'expression' : undefined);
}

/** What is dangerous of an element, whatever its attributes are. */
export function kindOfElement(name: string): CodeKind | undefined {
  if (name === 'script') {
    return 'script';
  }
  if (framing.has(name)) {
    return 'frame';
  }
  return ofDocument.has(name) ? 'document' : undefined;
}

/** Whether the tag's name stands for a value, which may be the name of any element. */
function isAnyElement(name: string, { declared, values }: Names): boolean {
  const [root = '', ...members] = name.split('.');
  if (members.length > 0) {
    return !/^[A-Z]/.test(root) || declared.has(root);
  }
  return /^[^a-z]/.test(root) && (!/^[A-Z]/.test(root) || values.has(root));
}

/** What is dangerous of an attribute. */
export function kindOfAttribute(
  tag: Tag,
  attribute: Attribute,
  constants: Constants,
): CodeKind | undefined {
  const { name } = attribute;
  if (name === '') {
    return 'spread';
  }
  if (isHandler(name, tag)) {
    return 'handler';
  }
  if (name === 'dangerouslySetInnerHTML' || name.toLowerCase() === 'srcdoc') {
    return 'raw-html';
  }
  if (/^form(?:action)?$/i.test(name) && /^[a-z]/.test(tag.name)) {
    return 'document';
  }
  const value = attribute.value ?? foldString(bodyOf(attribute.expression), constants);
  if (isOtherElement(attribute, value)) {
    return 'expression';
  }
  const isScript =
    isMovedAddress(tag, attribute, value) ||
    (value !== undefined && isScriptUrl(value) && !isWords(name, value));
  return isScript ? 'script-url' : undefined;
}

/** Whether an animation changes where a link leads. */
function isMovedAddress(tag: Tag, { name }: Attribute, value: string | undefined): boolean {
  return (
    /^(?:animate|set)/i.test(tag.name) && name === 'attributeName' && /href$/i.test(value ?? '')
  );
}

/** Whether an attribute says something of JavaScript, as in `label="JavaScript: the basics"`. */
function isWords(name: string, value: string): boolean {
  return isTextAttribute(name) && /^[^:]*:\s/.test(value);
}

/** React calls the function in a `ref` too. */
function isHandler(name: string, tag: Tag): boolean {
  const isElement = /^[a-z]/.test(tag.name);
  return name === 'ref' || /^on[A-Z]/.test(name) || (isElement && /^on[a-z]{3}/i.test(name));
}

/** `components={{ p: "script" }}` and `as="script"` make other elements of those that are written. */
function isOtherElement({ name }: Attribute, value: string | undefined): boolean {
  return (
    name === 'components' ||
    (/^(?:as|component|element|is|wrapper)$/.test(name) &&
      (value === undefined || kindOfElement(value.toLowerCase()) !== undefined))
  );
}
