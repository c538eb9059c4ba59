import { GraphQLError } from 'graphql';

/** Arguments of every connection. */
export interface PageArguments {
  readonly first?: number;
  readonly last?: number;
  /** The cursors are positions. */
  readonly after?: string;
}

const maxPageSize = 100;

/** @throws {GraphQLError} as GitHub, without a size or above 100 */
export function pageSize({ first, last }: PageArguments, name: string): number {
  const size = first ?? last;
  if (size === undefined || size === null) {
    throw new GraphQLError(
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      { extensions: { type: 'MISSING_PAGINATION_BOUNDARIES' } },
    );
  }
  if (size > maxPageSize) {
    throw new GraphQLError(
      `Requesting ${size} records on the \`${name}\` connection exceeds the \`${first === undefined ? 'last' : 'first'}\` limit of 100 records.`,
      { extensions: { type: 'EXCESSIVE_PAGINATION' } },
    );
  }
  return size;
}

/** One page of a list. */
export function connection<T>(
  shas: readonly string[],
  args: PageArguments,
  name: string,
  show: (sha: string) => T,
) {
  const size = pageSize(args, name);
  const start = Number(args.after ?? 0);
  const page = shas.slice(start, start + size);
  const cursorOf = (index: number) => String(start + index + 1);
  return {
    edges: () => page.map((sha, index) => ({ cursor: cursorOf(index), node: () => show(sha) })),
    nodes: () => Promise.all(page.map(show)),
    pageInfo: {
      endCursor: page.length === 0 ? null : cursorOf(page.length - 1),
      hasNextPage: shas.length > start + size,
      hasPreviousPage: start > 0,
      startCursor: page.length === 0 ? null : cursorOf(0),
    },
    totalCount: shas.length,
  };
}
