import type { Script } from './page-outline.ts';
import { child, children, type ScriptNode, text } from './page-script.ts';

/** The names that a page gives to things, by what is known of them. */
export interface Names {
  /** All of them. */
  readonly declared: ReadonlySet<string>;
  /** Those that can stand for a text, so that a tag of that name could be any element. */
  readonly values: ReadonlySet<string>;
}

/** Names that are no objects of the browser: `props` of a snippet and the `user` who is signed in. */
const given = ['undefined', 'NaN', 'Infinity', 'props', 'user'];

const ofBrowser =
  /^(?:arguments|caches|document|eval|fetch|frames|global|globalThis|indexedDB|localStorage|navigator|opener|parent|process|require|self|sessionStorage|top|window)$/;

/** Whether a name is known to be one of the browser's or the server's own objects. */
export function isOfBrowser(name: string): boolean {
  return ofBrowser.test(name);
}

/** What a page imports and declares at its top; a re-export binds no name. */
export function namesIn(scripts: readonly Script[]): Names {
  const statements = scripts.flatMap(({ kind, program }) =>
    kind === 'esm' ? children(program, 'body') : [],
  );
  const found = statements.flatMap(namesOf);
  return {
    declared: new Set([...given, ...found.map(({ name }) => name)]),
    values: new Set(found.filter(({ isValue }) => isValue).map(({ name }) => name)),
  };
}

interface Name {
  readonly name: string;
  readonly isValue: boolean;
}

function namesOf(statement: ScriptNode): readonly Name[] {
  if (statement.type === 'ImportDeclaration') {
    // Code has been found in the import already where it is not of Markdown.
    const isMarkdown = /\.mdx?$/i.test(text(child(statement, 'source'), 'value') ?? '');
    return children(statement, 'specifiers').flatMap((specifier) =>
      named(child(specifier, 'local'), isMarkdown && isRenamed(specifier)),
    );
  }
  const declaration = child(statement, 'declaration') ?? statement;
  const own = declaration.type.endsWith('Declaration')
    ? named(child(declaration, 'id'), false)
    : [];
  const declarators = children(declaration, 'declarations').flatMap((declarator) =>
    named(child(declarator, 'id'), !isFunction(child(declarator, 'init'))),
  );
  return [...own, ...declarators];
}

function named(id: ScriptNode | undefined, isValue: boolean): readonly Name[] {
  const name = id?.type === 'Identifier' ? text(id, 'name') : undefined;
  return name === undefined ? [] : [{ name, isValue }];
}

/** Of a snippet, `Foo` is a component: a page that exports a text by such a name has code. */
function isRenamed(specifier: ScriptNode): boolean {
  const imported = child(specifier, 'imported');
  const name = text(imported, 'name') ?? text(imported, 'value') ?? 'default';
  return name !== 'default' && /^[a-z]/.test(name);
}

/** Functions are code by themselves. */
export function isFunction(init: ScriptNode | undefined): boolean {
  return init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
}
