import type { CodeKind } from './page.ts';
import { child, eachNode, type ScriptNode, text } from './page-script.ts';

const kinds = new Map<string, CodeKind>([
  ['FunctionDeclaration', 'function'],
  ['FunctionExpression', 'function'],
  ['ArrowFunctionExpression', 'function'],
  ['ClassDeclaration', 'function'],
  ['ClassExpression', 'function'],
  ['CallExpression', 'expression'],
  ['NewExpression', 'expression'],
  ['TaggedTemplateExpression', 'expression'],
  ['ImportExpression', 'expression'],
  ['AssignmentExpression', 'expression'],
  ['UpdateExpression', 'expression'],
  ['AwaitExpression', 'expression'],
  ['YieldExpression', 'expression'],
  ['SequenceExpression', 'expression'],
  ['MetaProperty', 'global'],
  ['ThisExpression', 'global'],
]);

const globals = new Set([
  'window',
  'document',
  'globalThis',
  'global',
  'self',
  'frames',
  'process',
  'require',
  'module',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'Worker',
  'eval',
  'Function',
  'Reflect',
  'Proxy',
  'setTimeout',
  'setInterval',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'navigator',
  'React',
]);

/** Names that the page imports or exports, and so are not the browser's. */
export function declaredIn(programs: readonly ScriptNode[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const program of programs) {
    eachNode(program, (node) => {
      const id = node.type === 'VariableDeclarator' ? child(node, 'id') : child(node, 'local');
      if (id?.type === 'Identifier') {
        names.add(text(id, 'name') ?? '');
      }
    });
  }
  return names;
}

/** Why an expression does more than give a value that is written in the page or a snippet. */
export function dangerOfProgram(
  program: ScriptNode,
  declared: ReadonlySet<string>,
): CodeKind | undefined {
  let danger: CodeKind | undefined;
  eachNode(program, (node, parent) => {
    danger ??= dangerOfNode(node, parent, declared);
  });
  return danger;
}

/** The same for an import, an export, or another statement at the top of a page. */
export function dangerOfStatement(
  statement: ScriptNode,
  declared: ReadonlySet<string>,
): CodeKind | undefined {
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return isSnippet(sourceOf(statement)) ? undefined : 'import';
    case 'ExportNamedDeclaration': {
      const source = sourceOf(statement);
      return source === undefined || isSnippet(source)
        ? dangerOfProgram(statement, declared)
        : 'import';
    }
    default:
      return dangerOfProgram(statement, declared);
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
): CodeKind | undefined {
  switch (node.type) {
    case 'Identifier':
      return isGlobal(node, parent, declared) ? 'global' : undefined;
    case 'SpreadElement':
    case 'JSXSpreadAttribute':
      return isLiteral(child(node, 'argument')) ? undefined : 'spread';
    case 'JSXSpreadChild':
      return 'spread';
    case 'UnaryExpression':
      return text(node, 'operator') === 'delete' ? 'expression' : undefined;
    default:
      return kinds.get(node.type);
  }
}

function isGlobal(
  node: ScriptNode,
  parent: ScriptNode | undefined,
  declared: ReadonlySet<string>,
): boolean {
  const name = text(node, 'name') ?? '';
  if (!globals.has(name) || declared.has(name)) {
    return false;
  }
  const isKey =
    parent?.['computed'] === false &&
    (child(parent, 'property') === node ||
      (child(parent, 'key') === node && parent['shorthand'] !== true));
  return !isKey;
}

function isLiteral(node: ScriptNode | undefined): boolean {
  return node?.type === 'ObjectExpression' || node?.type === 'ArrayExpression';
}
