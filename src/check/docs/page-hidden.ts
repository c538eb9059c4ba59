import type { Constants } from './page-script.ts';
import { classNamesOf, cssOf, literalOf } from './page-style.ts';
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

const hiding =
  /(?:^|;)\s*(?:display:\s*none|(?:content-)?visibility:\s*(?:hidden|collapse)|opacity:\s*(?:0|0?\.0\d*|0%)(?![.\d])|font(?:-size)?:\s*[0-3](?![.\d])|(?:text-indent|left|right|top|bottom|margin[a-z-]*|transform|translate):[^;]*-\d{3}|(?:max-)?(?:height|width):\s*0(?![.\d])|clip(?:-path)?:|transform:[^;]*scale\w*\(\s*0(?![.\d])|color:\s*transparent)/i;

function isHiddenByStyle(style: Attribute | undefined, constants: Constants): boolean {
  if (style === undefined) {
    return false;
  }
  const css = cssOf(style, constants);
  if (css === undefined) {
    return true;
  }
  // Letters without a colour of their own show what is painted behind them.
  return hiding.test(
    /background-clip:\s*text/i.test(css) ? css.replace(/color:\s*transparent/gi, '') : css,
  );
}

const hiddenClass =
  /^!?(?:hidden|sr-only|invisible|collapse|opacity-0|text-transparent|text-\[[0-3](?:px)?\]|(?:max-)?[hw]-(?:0|\[0(?:px)?\])|size-0|scale-0|-(?:left|top|right|bottom|indent|m[a-z]?|translate-[xy])-\[?\d{3}.*|(?:left|top|right|bottom|indent|m[a-z]?|translate-[xy])-\[-\d{3}.*)!?$/;

/** `hidden dark:block` is shown to those who read in the dark. */
const shownSometimes =
  /^(?:dark|sm|md|lg|xl|2xl|max-\w+|(?:group-|peer-)?(?:hover|focus|focus-within|open)):!?(?:block|flex|grid|inline|contents|table|not-sr|visible|opacity-[1-9]|max-h|h-|w-|scale-|text-)/;

function isHiddenByClass(attribute: Attribute | undefined, constants: Constants): boolean {
  const names = classNamesOf(attribute, constants);
  const isPainted = names.includes('bg-clip-text');
  return (
    !names.some((name) => shownSometimes.test(name)) &&
    names.some((name) => hiddenClass.test(name) && !(isPainted && name === 'text-transparent'))
  );
}
