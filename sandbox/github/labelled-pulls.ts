import * as v from 'valibot';
import type { Forward, Route } from './route.ts';

const listed = v.array(
  v.looseObject({ number: v.number(), labels: v.array(v.looseObject({ name: v.string() })) }),
);

/**
 * The list of issues, which on GitHub has the pull requests too. emulate leaves these out, and an issue
 * only knows its labels.
 */
export function labelledPullRoutes(forward: Forward): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/issues$/,
      async handle(request, [repository = '']) {
        const issues = await forward(request);
        if (issues.status !== 200) {
          return issues;
        }
        const query = new URLSearchParams(request.query);
        const names = (query.get('labels') ?? '').split(',').filter((name) => name !== '');
        const state = query.get('state') ?? 'open';
        const pulls = await forward({
          ...request,
          path: `/repos/${repository}/pulls`,
          query: `?state=${state}&per_page=100`,
        });
        const found = v
          .parse(listed, JSON.parse(String(pulls.body)))
          .filter(({ labels }) =>
            names.every((name) => labels.some((label) => label.name === name)),
          )
          .map((pull) => ({ ...pull, pull_request: { url: pull['url'] } }));
        const all = [...v.parse(listed, JSON.parse(String(issues.body))), ...found];
        return { status: 200, body: all.toSorted((a, b) => b.number - a.number) };
      },
    },
  ];
}
