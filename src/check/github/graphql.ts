import {
  failureOf,
  isSuccess,
  type Reading,
  type RepositoryDeps,
  sendAgain,
  sendOnce,
} from '../../github/request.ts';

/** A GraphQL response about a repository: the fields that could be read, and whether others could not. */
export interface RepositoryFields {
  /** By alias. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly hasErrors: boolean;
}

/** GitHub itself gives up after 10 s. */
const timeoutMs = 15_000;

/**
 * Asks for fields of a repository.
 *
 * @param selection the fields, each with an alias; foreign text in it must be written by `literal`
 * @param attempts `several` repeats a request that failed for a moment
 * @throws the signal's reason if the run is cancelled
 */
export async function queryRepository(
  selection: string,
  attempts: 'one' | 'several',
  deps: RepositoryDeps,
): Promise<Reading<RepositoryFields>> {
  const [owner = '', name = ''] = deps.repository.split('/');
  const query = `{ repository(owner: ${literal(owner)}, name: ${literal(name)}) { ${selection} } }`;
  const question = { route: `POST ${deps.graphqlUrl}`, parameters: { query }, timeoutMs };
  const response = await (attempts === 'one' ? sendOnce : sendAgain)(question, deps);
  deps.signal.throwIfAborted();
  const { readRepositoryFields } = await import('./graphql-schema.ts');
  const value = isSuccess(response) ? readRepositoryFields(response.body) : undefined;
  if (value === undefined) {
    return { kind: 'unread', ...failureOf(response) };
  }
  return typeof value === 'string'
    ? { kind: 'unread', problem: value, isRefusal: false }
    : { kind: 'read', value };
}

/** Writes text as a literal of GraphQL, which has the escapes of JSON. */
export function literal(text: string): string {
  return JSON.stringify(text.toWellFormed());
}
