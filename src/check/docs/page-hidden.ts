import {
  bodyOf,
  type Constants,
  child,
  children,
  foldString,
  type ScriptNode,
  text,
} from './page-script.ts';
import { stringsOf } from './page-strings.ts';
import { type Attribute, attributeOf, type Tag } from './page-tag.ts';

/** Elements whose content browsers do not show by themselves. */
const unshown = new Set(['datalist', 'dialog', 'template']);
/** They show their content only to browsers that do not know them, which no longer exist. */
const replaced = new Set(['audio', 'canvas', 'iframe', 'object', 'video']);
const apology =
  /^[^.!?\n]{0,80}\b(?:browser|navigateur|navegador|tag|element)\b[^.!?\n]{0,80}[.!?。]?$/i;

/**
 * Whether browsers hide what stands in an element. What cannot be told counts as hidden.
 *
 * @param contentOf gives the text in the element, without tags
 */
export function isHidden(tag: Tag, contentOf: () => string, constants: Constants): boolean {
  if (tag.name === 'Visibility') {
    return literalOf(attributeOf(tag, 'for'), constants) !== 'humans';
  }
  if (replaced.has(tag.name)) {
    const content = contentOf();
    return content !== '' && !apology.test(content);
  }
  return (unshown.has(tag.name) || isHiddenByAttribute(tag, constants)) && contentOf() !== '';
}

function isHiddenByAttribute(tag: Tag, constants: Constants): boolean {
  const isElement = /^[a-z]/.test(tag.name);
  return (
    (isElement && (attributeOf(tag, 'hidden') ?? attributeOf(tag, 'popover')) !== undefined) ||
    isHiddenByStyle(attributeOf(tag, 'style'), constants) ||
    isHiddenByClass(attributeOf(tag, 'classname'), constants) ||
    isHiddenByClass(attributeOf(tag, 'class'), constants)
  );
}

function literalOf(attribute: Attribute | undefined, constants: Constants): string | undefined {
  return attribute?.value ?? foldString(bodyOf(attribute?.expression), constants);
}

const hiding =
  /(?:^|;)\s*(?:display:\s*none|(?:content-)?visibility:\s*(?:hidden|collapse)|opacity:\s*(?:0|0?\.0\d*|0%)(?![.\d])|font(?:-size)?:\s*[0-3](?![.\d])|(?:text-indent|left|right|top|bottom|margin[a-z-]*|transform|translate):[^;]*-\d{3}|(?:max-)?(?:height|width):\s*0(?![.\d])|clip(?:-path)?:|transform:[^;]*scale\w*\(\s*0(?![.\d])|color:\s*transparent)/i;

/** Properties of which it must be known what they are. */
const decisive =
  /^(?:display|visibility|contentVisibility|opacity|font|fontSize|textIndent|left|top|transform|color|clip|clipPath)$/;

function isHiddenByStyle(style: Attribute | undefined, constants: Constants): boolean {
  if (style === undefined) {
    return false;
  }
  const written = literalOf(style, constants);
  const css = written ?? cssOf(bodyOf(style.expression), constants);
  if (css === undefined) {
    return true;
  }
  // Letters without a colour of their own show what is painted behind them.
  return hiding.test(
    /background-clip:\s*text/i.test(css) ? css.replace(/color:\s*transparent/gi, '') : css,
  );
}

/** The declarations in an object; `undefined` where they are not known. */
function cssOf(body: ScriptNode | undefined, constants: Constants): string | undefined {
  const style = unwrapped(body);
  if (style?.type !== 'ObjectExpression') {
    return undefined;
  }
  const declarations = children(style, 'properties').map((property) => {
    const key = child(property, 'key');
    const name = text(key, 'name') ?? text(key, 'value') ?? '';
    const value = child(property, 'value');
    const known = foldString(value, constants) ?? numberOf(value);
    return known === undefined && (name === '' || decisive.test(name))
      ? undefined
      : `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${known ?? ''}`;
  });
  return declarations.includes(undefined) ? undefined : declarations.join(';');
}

function unwrapped(node: ScriptNode | undefined): ScriptNode | undefined {
  return node?.type === 'ExpressionStatement' || node?.type === 'JSXExpressionContainer'
    ? child(node, 'expression')
    : node;
}

function numberOf(node: ScriptNode | undefined): string | undefined {
  const isNegative = node?.type === 'UnaryExpression' && text(node, 'operator') === '-';
  const value = (isNegative ? child(node, 'argument') : node)?.['value'];
  return typeof value === 'number' ? `${isNegative ? '-' : ''}${value}` : undefined;
}

const hiddenClass =
  /^!?(?:hidden|sr-only|invisible|collapse|opacity-0|text-transparent|text-\[[0-3](?:px)?\]|(?:max-)?[hw]-(?:0|\[0(?:px)?\])|size-0|scale-0|-(?:left|top|right|bottom|indent|m[a-z]?|translate-[xy])-\[?\d{3}.*|(?:left|top|right|bottom|indent|m[a-z]?|translate-[xy])-\[-\d{3}.*)!?$/;

/** `hidden dark:block` is shown to those who read in the dark. */
const shownSometimes =
  /^(?:dark|sm|md|lg|xl|2xl|max-\w+|(?:group-|peer-)?(?:hover|focus|focus-within|open)):!?(?:block|flex|grid|inline|contents|table|not-sr|visible|opacity-[1-9]|max-h|h-|w-|scale-|text-)/;

function isHiddenByClass(attribute: Attribute | undefined, constants: Constants): boolean {
  const expression = attribute?.expression;
  const texts = expression === undefined ? [] : stringsOf(expression, constants);
  const written = [literalOf(attribute, constants) ?? '', ...texts.map(({ value }) => value)];
  const names = written.join(' ').split(/\s+/);
  const isPainted = names.includes('bg-clip-text');
  return (
    !names.some((name) => shownSometimes.test(name)) &&
    names.some((name) => hiddenClass.test(name) && !(isPainted && name === 'text-transparent'))
  );
}
