import type { CodeKind } from './page.ts';
import { isPlainConstant, isPlainExport, nameOf } from './page-export.ts';
import { isOfBrowser, type Names } from './page-names.ts';
import { type Constants, child, eachNode, isSum, type ScriptNode, text } from './page-script.ts';
import { isOpenText } from './page-strings.ts';

/** What code is called. Everything that neither this nor the next list has is an expression that runs. */
const kinds = new Map<string, CodeKind>([
  ['FunctionDeclaration', 'function'],
  ['FunctionExpression', 'function'],
  ['ArrowFunctionExpression', 'function'],
  ['ClassDeclaration', 'function'],
  ['ClassExpression', 'function'],
  ['MetaProperty', 'global'],
  ['ThisExpression', 'global'],
  ['SpreadElement', 'spread'],
  ['JSXSpreadAttribute', 'spread'],
  ['JSXSpreadChild', 'spread'],
]);

/** Syntax that only makes a value of values. */
const harmless = new Set([
  'Program',
  'ExpressionStatement',
  'EmptyStatement',
  'Literal',
  'TemplateLiteral',
  'TemplateElement',
  'ArrayExpression',
  'ObjectExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ChainExpression',
  'ParenthesizedExpression',
  'ExportNamedDeclaration',
  'ExportSpecifier',
  'VariableDeclaration',
  'VariableDeclarator',
  'JSXElement',
  'JSXOpeningElement',
  'JSXClosingElement',
  'JSXFragment',
  'JSXOpeningFragment',
  'JSXClosingFragment',
  'JSXText',
  'JSXExpressionContainer',
  'JSXEmptyExpression',
  'JSXAttribute',
  'JSXIdentifier',
  'JSXMemberExpression',
  'JSXNamespacedName',
]);

/** Properties that lead to functions, or that JavaScript calls by itself. */
const callable = /^(?:constructor|prototype|__\w+__|toString|toLocaleString|valueOf|toJSON|then)$/;

/** Why an expression does more than give a value that is written in the page or a snippet. */
export function dangerOfProgram(
  program: ScriptNode,
  { declared }: Names,
  constants: Constants,
): CodeKind | undefined {
  let danger: CodeKind | undefined;
  eachNode(program, (node, parent) => {
    danger ??= dangerOfNode(node, parent, declared, constants);
  });
  return danger;
}

/** The same for an import, an export, or another statement at the top of a page. */
export function dangerOfStatement(
  statement: ScriptNode,
  names: Names,
  constants: Constants,
): CodeKind | undefined {
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return isSnippet(sourceOf(statement)) ? undefined : 'import';
    case 'ExportNamedDeclaration': {
      const source = sourceOf(statement);
      return source === undefined || isSnippet(source)
        ? dangerOfProgram(statement, names, constants)
        : 'import';
    }
    default:
      return dangerOfProgram(statement, names, constants);
  }
}

/** Address of an import or a re-export. */
export function sourceOf(statement: ScriptNode): string | undefined {
  return text(child(statement, 'source'), 'value');
}

function isSnippet(source: string | undefined): boolean {
  return (
    source !== undefined && /\.mdx?$/i.test(source) && !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(source)
  );
}

function dangerOfNode(
  node: ScriptNode,
  parent: ScriptNode | undefined,
  declared: ReadonlySet<string>,
  constants: Constants,
): CodeKind | undefined {
  const kind = kinds.get(node.type);
  if (kind !== undefined) {
    return kind;
  }
  return isHarmless(node, parent, declared, constants) ? undefined : dangerousKind(node);
}

function dangerousKind(node: ScriptNode): CodeKind {
  if (node.type === 'Identifier') {
    return isOfBrowser(text(node, 'name') ?? '') ? 'global' : 'undefined';
  }
  return node.type === 'Property' && isRawHtml(node) ? 'raw-html' : 'expression';
}

function isHarmless(
  node: ScriptNode,
  parent: ScriptNode | undefined,
  declared: ReadonlySet<string>,
  constants: Constants,
): boolean {
  switch (node.type) {
    case 'Identifier':
      return isName(node, parent) || declared.has(text(node, 'name') ?? '');
    case 'ExportSpecifier':
      return isPlainExport(node);
    case 'VariableDeclarator':
      return isPlainConstant(node, constants);
    case 'UnaryExpression':
      return ['-', '+', '!'].includes(text(node, 'operator') ?? '');
    case 'BinaryExpression':
      return (
        !/^in/.test(text(node, 'operator') ?? '') && (isSum(parent) || !isOpenText(node, constants))
      );
    case 'TemplateLiteral':
      return !isOpenText(node, constants);
    case 'MemberExpression':
      return isPlainKey(node, child(node, 'property'));
    case 'Property':
      return (
        text(node, 'kind') === 'init' && isPlainKey(node, child(node, 'key')) && !isRawHtml(node)
      );
    default:
      return harmless.has(node.type);
  }
}

/** A word that names a property or an export, and no variable. */
function isName(node: ScriptNode, parent: ScriptNode | undefined): boolean {
  if (parent?.type === 'ExportSpecifier') {
    return true;
  }
  return (
    parent?.['computed'] === false &&
    (child(parent, 'property') === node ||
      (child(parent, 'key') === node && parent['shorthand'] !== true))
  );
}

/** Whether it is written which property is meant, and that one is no function of JavaScript. */
function isPlainKey(node: ScriptNode, key: ScriptNode | undefined): boolean {
  const isWritten = node['computed'] !== true || key?.type === 'Literal';
  return isWritten && !callable.test(nameOf(key));
}

function isRawHtml(property: ScriptNode): boolean {
  return /^(?:dangerouslySetInnerHTML|__html|srcdoc)$/i.test(nameOf(child(property, 'key')));
}
