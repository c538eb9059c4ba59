import * as v from 'valibot';
import type { Forward, Route } from './route.ts';

const listed = v.array(
  v.looseObject({ number: v.number(), labels: v.array(v.looseObject({ name: v.string() })) }),
);
const pullSchema = v.looseObject({ url: v.string(), html_url: v.string() });

/**
 * On GitHub, each pull request is an issue too. emulate keeps them apart: its issues lack the pull
 * requests, and an issue only knows its labels.
 */
export function pullsAsIssuesRoutes(forward: Forward): Route[] {
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
    {
      method: 'GET',
      path: /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)$/,
      async handle(request, [repository = '', number = '']) {
        const issue = await forward(request);
        if (issue.status !== 404) {
          return issue;
        }
        const found = await forward({ ...request, path: `/repos/${repository}/pulls/${number}` });
        if (found.status !== 200) {
          return issue;
        }
        const pull = v.parse(pullSchema, JSON.parse(String(found.body)));
        const { url, html_url } = pull;
        const repository_url = url.replace(/\/pulls\/\d+$/, '');
        return {
          status: 200,
          body: { ...pull, repository_url, pull_request: { url, html_url } },
        };
      },
    },
  ];
}
