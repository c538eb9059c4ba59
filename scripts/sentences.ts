import { asNode, type Node, nameOf, nodesIn, walk } from './syntax.ts';

/** What stands where the sources put in something that is only known when they run. */
export const gap = '…';

/** How deep names are followed; far more than any sentence needs. */
const maxDepth = 8;

/** Reads which texts an expression can give. */
export type ReadTexts = (expression: Node | undefined) => string[];

/**
 * Makes a reader of the texts in one module: it follows names to constants, functions to what they
 * return, and parameters to what the module's own calls hand over.
 *
 * @param pieces the module
 * @param imported the constants that it imports
 */
export function textReader(
  pieces: readonly Node[],
  imported: ReadonlyMap<string, Node>,
): ReadTexts {
  const constants = new Map([...imported, ...constantsOf(pieces)]);
  const returned = new Map<string, Node[]>();
  const handedOver = new Map<string, Node[]>();
  for (const piece of pieces) {
    noteFunction(piece, pieces, returned, handedOver);
  }

  const read = (expression: Node | undefined, depth: number): string[] => {
    if (expression === undefined || depth > maxDepth) {
      return [gap];
    }
    const each = (nodes: readonly Node[]) => union(nodes.map((node) => read(node, depth + 1)));
    const { type } = expression;
    switch (type) {
      case 'Literal':
        return [String(expression.fields['value'])];
      case 'TemplateLiteral':
        return fillTemplate(expression, (node) => read(node, depth + 1));
      case 'ConditionalExpression':
        return each([...nodesIn(expression, 'consequent'), ...nodesIn(expression, 'alternate')]);
      case 'LogicalExpression':
        return eitherText(each(nodesIn(expression, 'left')), each(nodesIn(expression, 'right')));
      case 'AwaitExpression':
        return each(nodesIn(expression, 'argument'));
      case 'Identifier':
        return each(namedBy(nameOf(expression), constants, handedOver));
      case 'CallExpression':
        return readCall(expression, returned, each);
      default:
        return [gap];
    }
  };
  return (expression) => read(expression, 0);
}

/** The constants of a module, by name. */
export function constantsOf(pieces: readonly Node[]): Map<string, Node> {
  const constants = new Map<string, Node>();
  for (const piece of pieces) {
    noteConstant(piece, constants);
  }
  return constants;
}

function noteConstant(piece: Node, constants: Map<string, Node>): void {
  const name = nameOf(asNode(piece.fields['id']));
  const value = asNode(piece.fields['init']);
  if (piece.type === 'VariableDeclarator' && name !== '' && value !== undefined) {
    constants.set(name, value);
  }
}

/** What a function returns, and what its callers in the module give for each parameter. */
function noteFunction(
  piece: Node,
  pieces: readonly Node[],
  returned: Map<string, Node[]>,
  handedOver: Map<string, Node[]>,
): void {
  const name = nameOf(asNode(piece.fields['id']));
  if (piece.type !== 'FunctionDeclaration' || name === '') {
    return;
  }
  const returns = [...walk(piece.fields['body'])].filter(({ type }) => type === 'ReturnStatement');
  returned.set(
    name,
    returns.flatMap((node) => nodesIn(node, 'argument')),
  );
  const calls = pieces.filter((call) => isCallOf(call, name));
  for (const [index, parameter] of nodesIn(piece, 'params').entries()) {
    const label = nameOf(parameter);
    const given = calls
      .flatMap((call) => nodesIn(call, 'arguments')[index] ?? [])
      .filter((argument) => nameOf(argument) !== label);
    handedOver.set(label, [...(handedOver.get(label) ?? []), ...given]);
  }
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === 'CallExpression' && nameOf(asNode(node.fields['callee'])) === name;
}

function namedBy(
  name: string,
  constants: ReadonlyMap<string, Node>,
  handedOver: ReadonlyMap<string, Node[]>,
): readonly Node[] {
  const constant = constants.get(name);
  return constant === undefined ? (handedOver.get(name) ?? []) : [constant];
}

/** Values that the sources put in quotes are shown in quotes. */
const quotingFunctions = ['quoted', 'stringify'];

function readCall(
  call: Node,
  returned: ReadonlyMap<string, Node[]>,
  each: (nodes: readonly Node[]) => string[],
): string[] {
  const callee = asNode(call.fields['callee']);
  const name = nameOf(callee) || nameOf(asNode(callee?.fields['property']));
  return quotingFunctions.includes(name) ? [`"${gap}"`] : each(returned.get(name) ?? []);
}

/**
 * `a ?? b` and `a || b`: no empty text is left, and what stands in for something unknown is shown
 * when it says something itself.
 */
function eitherText(left: readonly string[], right: readonly string[]): string[] {
  return left.includes(gap)
    ? [gap, ...right.filter((text) => text.length > 20)]
    : union([left.filter((text) => text !== ''), right]);
}

function fillTemplate(template: Node, read: ReadTexts): string[] {
  const parts = nodesIn(template, 'quasis').map((quasi) => {
    const value = quasi.fields['value'];
    return typeof value === 'object' && value !== null && 'cooked' in value
      ? String(value.cooked)
      : '';
  });
  const [first = '', ...rest] = parts;
  return nodesIn(template, 'expressions').reduce(
    (texts, expression, index) => {
      const values = read(expression);
      return texts.flatMap((text) => values.map((value) => text + value + (rest[index] ?? '')));
    },
    [first],
  );
}

function union(lists: readonly (readonly string[])[]): string[] {
  const texts = [...new Set(lists.flat())];
  return texts.length === 0 ? [gap] : texts;
}
