import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import type { Forward, ProxiedRequest, Route } from './route.ts';

/** What happened to a branch. */
interface Activity {
  readonly repository: string;
  readonly activity_type: 'push' | 'branch_creation';
  readonly ref: string;
  readonly after: string;
  /** ISO 8601, without fractions of seconds. */
  readonly timestamp: string;
}

const fileBody = v.looseObject({ branch: v.optional(v.string(), 'main') });
const fileResponse = v.looseObject({ commit: v.looseObject({ sha: v.string() }) });
const refBody = v.looseObject({ ref: v.string(), sha: v.string() });

/**
 * The list of what happened to branches, newest first, which emulate lacks. It has the branches and
 * files that were created through the local GitHub, and no merges. Nobody force-pushes here.
 */
export function activityRoutes(forward: Forward): Route[] {
  const activities: Activity[] = [];

  async function writeFile(request: ProxiedRequest, repository: string): Promise<HttpResponse> {
    const response = await forward(request);
    if (response.status < 300) {
      const { branch } = v.parse(fileBody, JSON.parse(request.body));
      const { commit } = v.parse(fileResponse, JSON.parse(String(response.body)));
      const ref = `refs/heads/${branch}`;
      const after = commit.sha;
      activities.push({ repository, activity_type: 'push', ref, after, timestamp: timestamp() });
    }
    return response;
  }

  async function createRef(request: ProxiedRequest, repository: string): Promise<HttpResponse> {
    const response = await forward(request);
    if (response.status === 201) {
      const { ref, sha: after } = v.parse(refBody, JSON.parse(request.body));
      const activity_type = 'branch_creation';
      activities.push({ repository, activity_type, ref, after, timestamp: timestamp() });
    }
    return response;
  }

  const contents = /^\/repos\/([^/]+\/[^/]+)\/contents\/./;
  return [
    ...['PUT', 'DELETE'].map((method) => ({
      method,
      path: contents,
      handle: (request: ProxiedRequest, [repository = '']: readonly string[]) =>
        writeFile(request, repository),
    })),
    {
      method: 'POST',
      path: /^\/repos\/([^/]+\/[^/]+)\/git\/refs$/,
      handle: (request, [repository = '']) => createRef(request, repository),
    },
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/activity$/,
      handle: ({ query }, [repository]) => {
        const wanted = new URLSearchParams(query);
        const is = (name: string, value: string) => (wanted.get(name) ?? value) === value;
        const found = activities
          .filter((each) => each.repository === repository)
          .filter((each) => is('ref', each.ref) && is('activity_type', each.activity_type));
        const newest = found.toReversed().slice(0, Number(wanted.get('per_page') ?? 30));
        return { status: 200, body: newest };
      },
    },
  ];
}

/** The current time as the API writes it. */
function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
