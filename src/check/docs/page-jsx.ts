import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import {
  child,
  children,
  eachNode,
  endOf,
  foldString,
  isScriptNode,
  type ScriptNode,
  startOf,
  text,
} from './page-script.ts';
import type { Attribute, Tag } from './page-tag.ts';

const noConstants = new Map<string, string>();
const nowhere = { start: { offset: 0 }, end: { offset: 0 } };

export function tagOfMdx(node: MdxJsxFlowElement | MdxJsxTextElement): Tag {
  return {
    name: node.name ?? '',
    attributes: node.attributes.map((attribute): Attribute => {
      const { start, end } = attribute.position ?? node.position ?? nowhere;
      const range = { start: start.offset ?? 0, end: end.offset ?? 0 };
      if (attribute.type === 'mdxJsxExpressionAttribute') {
        return { name: '', value: undefined, expression: programOf(attribute.data), ...range };
      }
      const { name, value } = attribute;
      return typeof value === 'string'
        ? { name, value, expression: undefined, ...range }
        : { name, value: undefined, expression: programOf(value?.data), ...range };
    }),
    line: node.position?.start.line ?? 1,
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? 0,
  };
}

/** Tags within JavaScript, such as those of `{isNew && <a href="/x">…</a>}`. */
export function jsxTagsOf(program: ScriptNode, line: number): readonly Tag[] {
  const tags: Tag[] = [];
  eachNode(program, (node) => {
    const opening = node.type === 'JSXElement' ? child(node, 'openingElement') : undefined;
    if (opening !== undefined) {
      tags.push({
        name: nameOf(child(opening, 'name')),
        attributes: children(opening, 'attributes').map(attributeOfJsx),
        line: lineOfScript(node) ?? line,
        start: startOf(node),
        end: endOf(node),
      });
    }
  });
  return tags;
}

function attributeOfJsx(node: ScriptNode): Attribute {
  const range = { start: startOf(node), end: endOf(node) };
  if (node.type !== 'JSXAttribute') {
    return { name: '', value: undefined, expression: node, ...range };
  }
  const value = child(node, 'value');
  const name = nameOf(child(node, 'name'));
  return value?.type === 'Literal'
    ? { name, value: foldString(value, noConstants), expression: undefined, ...range }
    : { name, value: undefined, expression: value, ...range };
}

function nameOf(node: ScriptNode | undefined): string {
  switch (node?.type) {
    case 'JSXMemberExpression':
      return `${nameOf(child(node, 'object'))}.${nameOf(child(node, 'property'))}`;
    case 'JSXNamespacedName':
      return `${nameOf(child(node, 'namespace'))}:${nameOf(child(node, 'name'))}`;
    default:
      return text(node, 'name') ?? '';
  }
}

/** From 1, in the page. */
export function lineOfScript(node: ScriptNode): number | undefined {
  const loc = node['loc'];
  if (typeof loc === 'object' && loc !== null && 'start' in loc) {
    const { start } = loc;
    if (typeof start === 'object' && start !== null && 'line' in start) {
      return typeof start.line === 'number' ? start.line : undefined;
    }
  }
  return undefined;
}

function programOf(data: object | null | undefined): ScriptNode | undefined {
  const program = data && 'estree' in data ? data.estree : undefined;
  return isScriptNode(program) ? program : undefined;
}
