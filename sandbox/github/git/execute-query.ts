import { GraphQLError, graphql } from 'graphql';
import * as v from 'valibot';
import type { HttpResponse } from '../../http.ts';
import { githubSchema } from './graphql-schema.ts';
import type { GitStore } from './store.ts';

/** A repository that GraphQL can read. */
export interface ReadableRepository {
  readonly store: GitStore;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
}

/** What a query can read. */
export interface QuerySource {
  /** @param name `owner/name` */
  readonly repository: (
    name: string,
  ) => ReadableRepository | undefined | Promise<ReadableRepository | undefined>;
  /** Login of the token's owner. */
  readonly login: string;
  /**
   * GitHub gives up a query after ten seconds or some effort, which it does not publish. Here a query
   * whose texts have more bytes than this gets 502; no limit by default.
   */
  readonly maxTextBytes?: number | undefined;
}

const requestSchema = v.object({
  query: v.string(),
  variables: v.optional(v.nullable(v.record(v.string(), v.unknown())), {}),
  operationName: v.optional(v.nullable(v.string())),
});

/** Executes a query as GitHub: the status is 200 for its errors too. */
export async function executeQuery(body: string, source: QuerySource): Promise<HttpResponse> {
  const request = v.safeParse(requestSchema, parseJson(body));
  if (!request.success) {
    return { status: 400, body: { message: 'Problems parsing JSON' } };
  }
  const { query, variables, operationName } = request.output;
  const result = await graphql({
    schema: githubSchema,
    source: query,
    variableValues: variables,
    operationName,
    rootValue: rootOf(source),
  });
  const { data, errors } = result;
  if (textBytes(data) > (source.maxTextBytes ?? Number.POSITIVE_INFINITY)) {
    return { status: 502, body: { data: null, errors: [{ message: timedOut }] } };
  }
  return {
    status: 200,
    body: {
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(showError) }),
    },
  };
}

const timedOut =
  'Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.';

function rootOf({ repository, login }: QuerySource) {
  return {
    viewer: { id: `U_${login}`, login },
    async repository({ owner, name }: { owner: string; name: string }) {
      const found = await repository(`${owner}/${name}`);
      if (found === undefined) {
        throw new GraphQLError(
          `Could not resolve to a Repository with the name '${owner}/${name}'.`,
          { extensions: { type: 'NOT_FOUND' } },
        );
      }
      const id = `R_${owner}/${name}`;
      const object = (wanted: Wanted) => gitObject(found.store, wanted);
      return { id, object };
    },
  };
}

interface Wanted {
  readonly expression?: string;
  readonly oid?: string;
}

/** GitHub cuts a blob's text here. */
const maxTextBytes = 512_000;

/** Like git, GitHub takes a file with a NUL near its beginning as binary. */
const probedBytes = 8000;

async function gitObject(store: GitStore, { expression, oid }: Wanted) {
  const found = await store.resolve(oid ?? expression ?? '');
  const bytes = found?.type === 'blob' ? await store.blob(found.sha) : undefined;
  switch (found?.type) {
    case 'commit':
      return { __typename: 'Commit', oid: found.sha };
    case 'tree':
      return { __typename: 'Tree', oid: found.sha };
    default:
      return found && bytes && blobObject(found.sha, bytes);
  }
}

function blobObject(oid: string, bytes: Buffer) {
  const isBinary = bytes.subarray(0, probedBytes).includes(0);
  return {
    __typename: 'Blob',
    oid,
    byteSize: bytes.length,
    isBinary,
    isTruncated: bytes.length > maxTextBytes,
    text: isBinary ? null : bytes.subarray(0, maxTextBytes).toString('utf8'),
  };
}

/** GitHub puts the type of an error beside its message. */
function showError({ message, path, locations, extensions }: GraphQLError) {
  const { type } = extensions;
  return { ...(type === undefined ? {} : { type }), path, locations, message };
}

function textBytes(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + textBytes(each), 0)
    : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
