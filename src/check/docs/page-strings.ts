import type { Outline } from './page-outline.ts';
import {
  type Constants,
  child,
  children,
  eachNode,
  endOf,
  foldedStart,
  foldString,
  isSum,
  type ScriptNode,
  startOf,
  text,
} from './page-script.ts';

/** A text that stands in a script, put together where it is written in parts. */
export interface ScriptString {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** All texts in scripts. Of one whose end is not known there is its beginning. */
export function stringsIn({ scripts }: Outline, constants: Constants): readonly ScriptString[] {
  return scripts.flatMap(({ program }) => stringsOf(program, constants));
}

/** The texts in one script. */
export function stringsOf(program: ScriptNode, constants: Constants): readonly ScriptString[] {
  const found: ScriptString[] = [];
  eachNode(program, (node, parent) => {
    // A part of a sum is judged with the whole.
    const value = isString(node) && !isSum(parent) ? foldedStart(node, constants) : '';
    if (value !== '') {
      found.push({ value, start: startOf(node), end: endOf(node) });
    }
  });
  return found;
}

function isString(node: ScriptNode): boolean {
  return (
    (node.type === 'Literal' && text(node, 'value') !== undefined) ||
    node.type === 'TemplateLiteral' ||
    isSum(node)
  );
}

/**
 * Whether a text is put together of parts that are not all known, so that it may turn out to be any address.
 * Only new texts are in question: each part by itself is judged where it is written.
 */
export function isOpenText(node: ScriptNode, constants: Constants): boolean {
  const isTemplate = node.type === 'TemplateLiteral' && children(node, 'expressions').length > 0;
  if (!isTemplate && !isSum(node)) {
    return false;
  }
  const isNumber = isSum(node) && typeof child(node, 'left')?.['value'] === 'number';
  return (
    !isNumber &&
    foldString(node, constants) === undefined &&
    !hasFixedEnd(foldedStart(node, constants))
  );
}

/** Whether an address that begins so leads to a known host, or a text is none. */
function hasFixedEnd(beginning: string): boolean {
  const address = beginning.replace(/^[\p{Cc} ]+|[\t\r\n]/gu, '');
  if (/^[a-z][a-z\d+.-]*:/i.test(address)) {
    return /^https?:\/\/[^/?#\\]+[/?#]/i.test(address);
  }
  return /^[/\\]/.test(address) ? /^.[^/\\]/.test(address) : /[^a-z\d+.-]/i.test(address);
}
