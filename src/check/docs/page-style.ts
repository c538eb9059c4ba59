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
import type { Attribute } from './page-tag.ts';

/** The text that an attribute always has. */
export function literalOf(
  attribute: Attribute | undefined,
  constants: Constants,
): string | undefined {
  return attribute?.value ?? foldString(bodyOf(attribute?.expression), constants);
}

/** All classes that an attribute names, whatever they depend on. */
export function classNamesOf(
  attribute: Attribute | undefined,
  constants: Constants,
): readonly string[] {
  const expression = attribute?.expression;
  const texts = expression === undefined ? [] : stringsOf(expression, constants);
  const written = [literalOf(attribute, constants) ?? '', ...texts.map(({ value }) => value)];
  return written.join(' ').split(/\s+/);
}

/** Properties of which it must be known what they are. */
const decisive =
  /^(?:display|visibility|contentVisibility|opacity|font|fontSize|textIndent|left|top|transform|color|clip|clipPath)$/;

/** The declarations of a style; `undefined` where they are not known. */
export function cssOf(attribute: Attribute, constants: Constants): string | undefined {
  return literalOf(attribute, constants) ?? cssOfObject(bodyOf(attribute.expression), constants);
}

function cssOfObject(body: ScriptNode | undefined, constants: Constants): string | undefined {
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
