import type { Identifier, ImportDeclaration, Literal, Program, SourceLocation } from 'estree';
import type { MaybeProgram } from './script.ts';

/** The names that a page or a snippet imports, declares and exports. */
export interface Scope {
  /** By the name that the page gives to the import. */
  readonly imports: ReadonlyMap<string, Import>;
  /** Values and components that the page itself declares. */
  readonly declared: ReadonlySet<string>;
  /** What other files can import; `*` stands for everything that another file exports. */
  readonly exports: ReadonlySet<string>;
}

interface Import {
  /** The name in the file that exports it; `default`, or `*` for all that the file exports. */
  readonly name: string;
  readonly source: string;
  readonly line: number;
}

/** A name that a page uses. An expression's own names, such as the parameters of a function, are left out. */
export interface NameUse {
  /**
   * - `component`: an element such as `<Card>` or `<Tree.File>`.
   * - `text`: a name that stands alone in braces in the text, such as `{port}`: it may be meant as text.
   * - `member`: a value of a name, alone in braces in the text, such as `{api.url}`.
   * - `code`: a value in any other expression.
   * - `variable`: a variable of docs.json, such as `{{version}}`.
   */
  readonly kind: 'component' | 'text' | 'member' | 'code' | 'variable';
  /** For a value such as `api.url`, this is `api`. */
  readonly name: string;
  readonly line: number;
}

/** Reads the imports and exports of a page. MDX allows no other statements. */
export function scopeOf(programs: readonly MaybeProgram[]): Scope {
  const statements = programs.flatMap((program) => program?.body ?? []);
  const imports = statements.filter((one) => one.type === 'ImportDeclaration');
  const declarations = statements.map((one) => 'declaration' in one && one.declaration);
  return {
    imports: new Map(imports.flatMap(namesImportedBy)),
    declared: new Set(declarations.flatMap(namesOf)),
    exports: new Set(statements.flatMap(exportsOf)),
  };
}

function exportsOf(statement: Program['body'][number]): readonly string[] {
  switch (statement.type) {
    case 'ExportDefaultDeclaration':
      return ['default'];
    case 'ExportAllDeclaration':
      return [statement.exported === null ? '*' : spellingOf(statement.exported)];
    case 'ExportNamedDeclaration': {
      const listed = statement.specifiers.map(({ exported }) => spellingOf(exported));
      return [...namesOf(statement.declaration), ...listed];
    }
    default:
      return [];
  }
}

function namesImportedBy({ specifiers, source, loc }: ImportDeclaration) {
  return specifiers.map((specifier): readonly [string, Import] => {
    const names = { ImportDefaultSpecifier: 'default', ImportNamespaceSpecifier: '*' };
    const name =
      specifier.type === 'ImportSpecifier' ? spellingOf(specifier.imported) : names[specifier.type];
    return [specifier.local.name, { name, source: String(source.value), line: lineAt(loc) }];
  });
}

/** A name in an import or an export, where it can also be written in quotes. */
function spellingOf(name: Identifier | Literal): string {
  return name.type === 'Identifier' ? name.name : String(name.value);
}

/** A node of any kind: the types of estree know nothing of JSX. */
interface AnyNode {
  readonly type: string;
  readonly loc?: SourceLocation | null;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}

/** The children of a node, each with its key in the node. */
function childrenOf(node: AnyNode): readonly (readonly [key: string, child: AnyNode])[] {
  return Object.entries(node).flatMap(([key, value]) =>
    [value]
      .flat()
      .filter(isNode)
      .map((child) => [key, child] as const),
  );
}

/** The names that the declaration of a function, a class or of variables gives to the page. */
function namesOf(declaration: unknown): readonly string[] {
  const children = isNode(declaration) ? childrenOf(declaration) : [];
  return children.flatMap(([key, child]) =>
    key === 'id' ? namesInPattern(child) : key === 'declarations' ? namesOf(child) : [],
  );
}

/** The names that an expression declares anywhere inside of itself, such as the parameters of a function. */
function declaredIn(node: AnyNode): readonly string[] {
  return childrenOf(node).flatMap(([key, child]) =>
    ['id', 'params', 'param'].includes(key) ? namesInPattern(child) : declaredIn(child),
  );
}

/** The names that a pattern such as `{ a, b: [c] = d }` declares: `a` and `c`. */
function namesInPattern(pattern: AnyNode): readonly string[] {
  return pattern.type === 'Identifier'
    ? [String(pattern['name'])]
    : childrenOf(pattern)
        .filter(([key]) => key !== 'key' && key !== 'right')
        .flatMap(([, child]) => namesInPattern(child));
}

/**
 * The names that an expression uses and does not declare. A function in it may never run, so that only the components
 * in the function count, and no values.
 *
 * @param kind of the values that are found
 */
export function usesIn(
  program: MaybeProgram,
  kind: 'text' | 'member' | 'code',
): readonly NameUse[] {
  const read = (node: AnyNode, isInFunction: boolean): readonly NameUse[] => [
    ...useOf(node, isInFunction ? undefined : kind),
    ...childrenOf(node)
      .filter(([key]) => !isLabel(node, key))
      .flatMap(([, child]) => read(child, isInFunction || node.type.includes('Function'))),
  ];
  if (!isNode(program)) {
    return [];
  }
  const declared = new Set(declaredIn(program));
  return read(program, false).filter(({ name }) => !declared.has(rootOf(name)));
}

/** @param kind of a value; `undefined` if values do not count */
function useOf(node: AnyNode, kind: NameUse['kind'] | undefined): readonly NameUse[] {
  const line = lineAt(node.loc);
  if (node.type === 'JSXOpeningElement') {
    const name = elementName(node['name']);
    return isComponent(name) ? [{ kind: 'component', name, line }] : [];
  }
  return node.type === 'Identifier' && kind !== undefined
    ? [{ kind, name: String(node['name']), line }]
    : [];
}

/** Whether a part of a node is no name of a value: `a` in `{ a: 1 }`, in `b.a` and in `typeof a`. */
function isLabel(node: AnyNode, key: string): boolean {
  return (
    (['property', 'key', 'label', 'meta'].includes(key) && node['computed'] !== true) ||
    node['operator'] === 'typeof'
  );
}

function elementName(node: unknown): string {
  if (!isNode(node)) {
    return '';
  }
  return node.type === 'JSXMemberExpression'
    ? `${elementName(node['object'])}.${elementName(node['property'])}`
    : String(node['name']);
}

/** Whether an element is a component: MDX takes any other one for a tag of HTML. */
export function isComponent(element: string): boolean {
  return /^\p{Lu}|\./u.test(element);
}

/** The name that has to be declared, such as `Tree` for `Tree.File`. */
export function rootOf(name: string): string {
  return name.replace(/\..*$/su, '');
}

function lineAt(loc: SourceLocation | null | undefined): number {
  return loc?.start.line ?? 1;
}
