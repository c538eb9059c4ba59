import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import { timestamp } from './activity.ts';
import type { Forward, ProxiedRequest, Route } from './route.ts';

/** A label was put on an issue or a pull request, or taken off. */
interface LabelEvent {
  readonly thread: string;
  readonly event: 'labeled' | 'unlabeled';
  readonly label: { readonly name: string };
  readonly actor: { readonly login: string | undefined };
  readonly created_at: string;
}

const named = v.array(v.looseObject({ name: v.string() }));

/**
 * "List issue events" for pull requests, oldest first, of which emulate has none. They are only about
 * labels.
 */
export function labelEventRoutes(forward: Forward): Route[] {
  const events: LabelEvent[] = [];

  function add(request: ProxiedRequest, thread: string, event: LabelEvent['event'], name: string) {
    const actor = { login: request.identity?.login };
    events.push({ thread, event, label: { name }, actor, created_at: timestamp() });
  }

  async function putOn(request: ProxiedRequest, thread: string): Promise<HttpResponse> {
    const before = namesIn(await forward({ ...request, method: 'GET', body: '' }));
    const response = await forward(request);
    for (const name of namesIn(response).filter((each) => !before.includes(each))) {
      add(request, thread, 'labeled', name);
    }
    return response;
  }

  async function takeOff(
    request: ProxiedRequest,
    thread: string,
    label: string,
  ): Promise<HttpResponse> {
    const response = await forward(request);
    if (response.status === 200) {
      add(request, thread, 'unlabeled', decodeURIComponent(label));
    }
    return response;
  }

  return [
    {
      method: 'POST',
      path: /^(\/repos\/[^/]+\/[^/]+\/issues\/\d+)\/labels$/,
      handle: (request, [thread = '']) => putOn(request, thread),
    },
    {
      method: 'DELETE',
      path: /^(\/repos\/[^/]+\/[^/]+\/issues\/\d+)\/labels\/([^/]+)$/,
      handle: (request, [thread = '', label = '']) => takeOff(request, thread, label),
    },
    {
      method: 'GET',
      path: /^((\/repos\/[^/]+\/[^/]+)\/issues\/(\d+))\/events$/,
      async handle(request, [thread, repository = '', number = '']) {
        const path = `${repository}/pulls/${number}`;
        const pull = await forward({ ...request, path, query: '' });
        return pull.status === 200
          ? { status: 200, body: events.filter((event) => event.thread === thread) }
          : forward(request);
      },
    },
  ];
}

/** The labels in a response; none in a refusal. */
function namesIn({ status, body }: HttpResponse): string[] {
  return status === 200 ? v.parse(named, JSON.parse(String(body))).map(({ name }) => name) : [];
}
