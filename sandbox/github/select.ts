import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { Refusal } from './state.ts';

/**
 * An object that a query selects fields from: its type, its fields, and functions that take the arguments of a
 * field. A field that the object does not have is null, because `gh` asks for many fields that it does not need.
 * If `isWhole` is set, such a field is an error.
 */
export type Node = Readonly<Record<string, unknown>> & {
  readonly __typename: string;
  readonly isWhole?: boolean;
};

/** An error as GitHub shows it. */
interface QueryError {
  readonly type?: string;
  readonly path: readonly string[];
  readonly message: string;
}

interface Selected {
  readonly data: unknown;
  readonly errors: readonly QueryError[];
}

/** The names of interfaces. A fragment on one of them is read whatever the type of the node is. */
const interfaces = new Set(['Actor', 'Comment', 'GitObject', 'Node']);

type Variables = Readonly<Record<string, unknown>>;

/**
 * Reads what a query selects. There is no schema, so the arguments of a field reach its function unchecked.
 */
export async function select(
  { definitions }: DocumentNode,
  roots: { readonly query: Node; readonly mutation: Node },
  given: Variables,
): Promise<Selected> {
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  const defaults = (operation?.variableDefinitions ?? []).flatMap(
    ({ variable, defaultValue: value }) =>
      value === undefined ? [] : [[variable.name.value, valueFromASTUntyped(value)]],
  );
  const variables = { ...Object.fromEntries(defaults), ...given };
  const errors: QueryError[] = [];

  function fieldsOf(set: SelectionSetNode, typename: string): readonly FieldNode[] {
    return set.selections.flatMap((selection: SelectionNode): readonly FieldNode[] => {
      if (selection.kind === Kind.FIELD) {
        return [selection];
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      const type = fragment?.typeCondition?.name.value ?? typename;
      const isMeant = type === typename || interfaces.has(type);
      return fragment !== undefined && isMeant ? fieldsOf(fragment.selectionSet, typename) : [];
    });
  }

  async function readNode(
    node: Node,
    set: SelectionSetNode,
    path: readonly string[],
  ): Promise<Readonly<Record<string, unknown>>> {
    const entries = fieldsOf(set, node.__typename).map(async (field) => {
      const key = (field.alias ?? field.name).value;
      const value = await readField(node, field, [...path, key]).catch((error) => {
        errors.push(showError(error, [...path, key]));
        return null;
      });
      return [key, value] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async function readField(
    node: Node,
    field: FieldNode,
    path: readonly string[],
  ): Promise<unknown> {
    const { name, selectionSet: set } = field;
    const found = node[name.value];
    if (found === undefined && node.isWhole) {
      throw new Refusal(
        422,
        `Field '${name.value}' doesn't exist on type '${node.__typename}', of which this stand-in for GitHub has only a part: use gh api`,
      );
    }
    const value: unknown =
      typeof found === 'function' ? await found(argumentsOf(field.arguments, variables)) : found;
    if (set === undefined || value === undefined || value === null) {
      return value ?? null;
    }
    const readOne = (each: unknown) => (isNode(each) ? readNode(each, set, path) : null);
    return await (Array.isArray(value) ? Promise.all(value.map(readOne)) : readOne(value));
  }

  const root = operation?.operation === 'mutation' ? roots.mutation : roots.query;
  const data = operation && (await readNode(root, operation.selectionSet, []));
  return { data: data ?? null, errors };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function argumentsOf(given: readonly ArgumentNode[] = [], variables: Variables) {
  return Object.fromEntries(
    given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  );
}

const types: Readonly<Record<number, string>> = { 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

function showError(error: unknown, path: readonly string[]): QueryError {
  const type = error instanceof Refusal ? types[error.status] : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return { ...(type !== undefined && { type }), path, message };
}
