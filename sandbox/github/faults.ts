import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';

/** What goes wrong with a request. */
export type Effect =
  | { readonly kind: 'respond'; readonly response: HttpResponse }
  /** Never responds. */
  | { readonly kind: 'silence' }
  /** Breaks the connection. */
  | { readonly kind: 'reset' }
  /** Handles the request after this time. */
  | { readonly kind: 'late'; readonly delayMs: number }
  /** Changes a response with status 200. */
  | { readonly kind: 'change'; readonly change: (body: unknown) => unknown };

export interface Fault {
  /** Tested against `METHOD /path?query`, with the query of GraphQL on the next line. */
  readonly on: RegExp;
  /** How many such requests succeed before; none by default. */
  readonly after?: number;
  /** How many fail; all by default. */
  readonly times?: number;
  readonly effect: Effect;
}

export function respondWith(status: number, message = 'Refused by the test'): Effect {
  return { kind: 'respond', response: { status, body: { message } } };
}

export const silence: Effect = { kind: 'silence' };
export const reset: Effect = { kind: 'reset' };

const treeBody = v.looseObject({ tree: v.array(v.unknown()) });

/** The tree has more entries than GitHub lists. */
export function truncatedTree(entries: number): Effect {
  return {
    kind: 'change',
    change: (body) => {
      const found = v.parse(treeBody, body);
      return { ...found, tree: found.tree.slice(0, entries), truncated: true };
    },
  };
}

const pullBody = v.looseObject({ head: v.looseObject({}) });

/** Somebody pushed: the pull request has another head. */
export function movedHead(sha: string): Effect {
  return {
    kind: 'change',
    change: (body) => {
      const found = v.parse(pullBody, body);
      return { ...found, head: { ...found.head, sha } };
    },
  };
}

/** Somebody edited, closed or merged the pull request. */
export function editedPull(fields: Readonly<Record<string, unknown>>): Effect {
  return { kind: 'change', change: (body) => ({ ...v.parse(pullBody, body), ...fields }) };
}

/** @returns a function that finds the effect on a request, and counts the requests of each fault */
export function faultFinder(faults: readonly Fault[]): (request: string) => Effect | undefined {
  const seen = new Map<Fault, number>();
  return (request) => {
    const hit = faults
      .filter(({ on }) => on.test(request))
      .find((fault) => {
        const count = seen.get(fault) ?? 0;
        seen.set(fault, count + 1);
        const { after = 0, times = Number.POSITIVE_INFINITY } = fault;
        return count >= after && count < after + times;
      });
    return hit?.effect;
  };
}

/** @returns the response to send; `undefined` for none */
export function applyEffect(
  effect: Effect | undefined,
  response: HttpResponse,
  outgoing: ServerResponse,
): HttpResponse | undefined {
  switch (effect?.kind) {
    case undefined:
    case 'late':
      return response;
    case 'respond':
      return effect.response;
    case 'silence':
      return undefined;
    case 'reset':
      outgoing.destroy();
      return undefined;
    case 'change':
      return response.status === 200
        ? { ...response, body: effect.change(response.body) }
        : response;
  }
}
