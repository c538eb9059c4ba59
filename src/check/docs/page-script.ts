/** A node of an ESTree, of which only the fields are read that a question needs. */
export interface ScriptNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function isScriptNode(value: unknown): value is ScriptNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}

/** A field that is a node. */
export function child(node: ScriptNode, field: string): ScriptNode | undefined {
  const value = node[field];
  return isScriptNode(value) ? value : undefined;
}

/** A field that is a list of nodes; holes are left out. */
export function children(node: ScriptNode, field: string): readonly ScriptNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isScriptNode) : [];
}

export function text(node: ScriptNode | undefined, field: string): string | undefined {
  const value = node?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** Offset in the page's text. */
export function startOf(node: ScriptNode): number {
  return typeof node['start'] === 'number' ? node['start'] : 0;
}

export function endOf(node: ScriptNode): number {
  return typeof node['end'] === 'number' ? node['end'] : startOf(node);
}

/** Visits a node and all below it, in the order of the source, without recursion. */
export function eachNode(
  root: ScriptNode,
  visit: (node: ScriptNode, parent?: ScriptNode) => void,
): void {
  const stack: { node: ScriptNode; parent: ScriptNode | undefined }[] = [
    { node: root, parent: undefined },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next;
    visit(node, parent);
    for (const below of nodesBelow(node).reverse()) {
      stack.push({ node: below, parent: node });
    }
  }
}

function nodesBelow(node: ScriptNode): ScriptNode[] {
  return Object.keys(node)
    .filter((field) => field !== 'comments')
    .flatMap((field): readonly ScriptNode[] => {
      const value = node[field];
      return isScriptNode(value) ? [value] : children(node, field);
    });
}

/** The expression in the braces of an attribute, which MDX wraps in a program. */
export function bodyOf(expression: ScriptNode | undefined): ScriptNode | undefined {
  return expression?.type === 'Program' ? children(expression, 'body')[0] : expression;
}

/** Strings that the page's own constants have. */
export type Constants = ReadonlyMap<string, string>;

/** The string that an expression always has; `undefined` where it depends on anything. */
export function foldString(node: ScriptNode | undefined, constants: Constants): string | undefined {
  switch (node?.type) {
    case 'Literal':
    case 'JSXText':
      return text(node, 'value');
    case 'Identifier':
      return constants.get(text(node, 'name') ?? '');
    case 'TemplateLiteral':
      return foldTemplate(node, constants);
    case 'BinaryExpression':
      return text(node, 'operator') === '+'
        ? joined([child(node, 'left'), child(node, 'right')], constants)
        : undefined;
    case 'JSXExpressionContainer':
    case 'ExpressionStatement':
    case 'ParenthesizedExpression':
      return foldString(child(node, 'expression'), constants);
    default:
      return undefined;
  }
}

function foldTemplate(node: ScriptNode, constants: Constants): string | undefined {
  const expressions = children(node, 'expressions');
  let folded = '';
  for (const [index, quasi] of children(node, 'quasis').entries()) {
    folded += cooked(quasi);
    const expression = expressions[index];
    const value = expression === undefined ? '' : foldString(expression, constants);
    if (value === undefined) {
      return undefined;
    }
    folded += value;
  }
  return folded;
}

function joined(
  parts: readonly (ScriptNode | undefined)[],
  constants: Constants,
): string | undefined {
  const values = parts.map((part) => foldString(part, constants));
  return values.includes(undefined) ? undefined : values.join('');
}

function cooked(quasi: ScriptNode): string {
  const value = quasi['value'];
  return typeof value === 'object' &&
    value !== null &&
    'cooked' in value &&
    typeof value.cooked === 'string'
    ? value.cooked
    : '';
}

/** The part of a text up to the first piece that is not known; the whole where all are. */
export function foldedStart(node: ScriptNode, constants: Constants): string {
  const whole = foldString(node, constants);
  if (whole !== undefined) {
    return whole;
  }
  return node.type === 'TemplateLiteral'
    ? startOfTemplate(node, constants)
    : startOfSum(node, constants);
}

/** Whether a node adds, maybe texts. */
export function isSum(node: ScriptNode | undefined): boolean {
  return node?.type === 'BinaryExpression' && text(node, 'operator') === '+';
}

function startOfSum(sum: ScriptNode, constants: Constants): string {
  let first: ScriptNode | undefined = sum;
  let second: ScriptNode | undefined;
  while (first !== undefined && isSum(first)) {
    second = child(first, 'right');
    first = child(first, 'left');
  }
  const start = foldString(first, constants);
  if (start === undefined) {
    return first?.type === 'TemplateLiteral' ? startOfTemplate(first, constants) : '';
  }
  return start + (foldString(second, constants) ?? '');
}

function startOfTemplate(node: ScriptNode, constants: Constants): string {
  const expressions = children(node, 'expressions');
  let folded = '';
  for (const [index, quasi] of children(node, 'quasis').entries()) {
    folded += cooked(quasi);
    const value = foldString(expressions[index], constants);
    if (value === undefined) {
      return folded;
    }
    folded += value;
  }
  return folded;
}
