import type { StepResult } from '../../sandbox/runner/runner.ts';
import { commentKey, createMarkerSigner, type Marker } from '../../src/github/marker.ts';
import { startBoth } from './both-servers.ts';
import { apiKey } from './run-agent.ts';
import { type EventRun, runOnEvent } from './run-on-event.ts';
import { active, created, done, type Reply } from './scripted-api.ts';
import {
  bot,
  commentsPath,
  installation,
  permissions,
  quietIssue,
  type Routes,
  type ScriptedGitHub,
} from './scripted-github.ts';

/** The routes for comments on the issue that gets the label. */
export const list = `GET ${commentsPath}`;
export const post = `POST ${commentsPath}`;
export const patch = 'PATCH /repos/acme/product/issues/comments/501';

/** A GitHub where the owner sets the label, and all requests about comments succeed. */
export const working: Routes = {
  ...permissions({ owner: 'admin' }),
  ...installation,
  ...quietIssue,
};

export interface CommentRun extends StepResult {
  readonly github: ScriptedGitHub;
  /** How many requests a route received. */
  count(route: string): number;
  /** Requests about comments, in alphabetical order because some are sent at the same time. */
  commentCalls(): readonly string[];
  /** The texts that were written, oldest first. */
  written(): readonly string[];
}

/** Runs the step for the label, with changes to GitHub and the API. */
export async function runWithComment(
  routes: Routes,
  step: Partial<EventRun> = {},
  script: readonly Reply[] | ((github: ScriptedGitHub) => readonly Reply[]) = [
    created,
    active,
    done,
  ],
): Promise<CommentRun> {
  const { github, api } = await startBoth({ ...working, ...routes }, (started) =>
    typeof script === 'function' ? script(started) : script,
  );
  const result = await runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl: github.url,
    baseUrl: api.url,
    speed: 10,
    ...step,
  });
  return {
    ...result,
    github,
    count: (route) => github.calls.filter((call) => call.split('?')[0] === route).length,
    commentCalls: () =>
      github.calls.filter((call) => /comments|graphql|\/user$/.test(call)).toSorted(),
    written: () =>
      github.arrivals
        .filter(({ method, path }) => method !== 'GET' && path.includes('comments'))
        .map(({ body }) => String(JSON.parse(body).body)),
  };
}

const key = commentKey({
  workflow: 'Docs',
  job: 'docs',
  step: '__run',
  projectId: 'acme',
  matrix: '',
  subject: 'job',
});

/** A comment that this step could have written, with changes. */
export function left(
  fields: Partial<Marker> & {
    id?: number;
    author?: string;
    signedWith?: string;
    repository?: string;
    thread?: number;
  } = {},
) {
  const { id = 501, author = bot, signedWith = apiKey, repository = 'acme/product' } = fields;
  const { jobId = 'job_old', run: runId = '900.1', thread = 7 } = fields;
  const place = { repository, threadNumber: thread };
  const { link = '', earlier = [], records = [] } = fields;
  const marker = { key: fields.key ?? key, jobId, run: runId, link, earlier, records };
  const body = `### Old news\n\n${createMarkerSigner(signedWith).write(marker, place)}\n`;
  return { id, user: { login: author }, body };
}
