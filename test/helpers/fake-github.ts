import type { Call, Exchange, Session } from '../../src/github/call.ts';

/** A call as a test reads it: the route with its names filled in. */
export interface SeenCall {
  /** `GET /repos/acme/product/collaborators/octocat/permission` and so on. */
  readonly request: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

export interface FakeSession extends Session {
  readonly seen: SeenCall[];
}

export function answered(status: number, body: unknown = {}): Exchange {
  return { kind: 'answer', status, body };
}

export const unanswered: Exchange = { kind: 'no-answer', code: 'ECONNRESET' };

/** A session whose answers a function gives, without any network. */
export function fakeSession(answer: (call: SeenCall, count: number) => Exchange): FakeSession {
  const seen: SeenCall[] = [];
  return {
    seen,
    async exchange({ route, parameters = {} }: Call) {
      const request = route.replace(/\{(\w+)\}/g, (_, name) => String(parameters[name]));
      const call = { request, parameters };
      seen.push(call);
      return answer(call, seen.length);
    },
  };
}

/** A pause that takes no time. */
export async function noPause(): Promise<void> {}

export const noSignal = new AbortController().signal;
