import type { ServerResponse } from 'node:http';
import { unknown } from 'valibot';
import type { StepResult } from '../../sandbox/runner/runner.ts';
import { keyOf } from '../../src/agent/earlier/step-comment.ts';
import { createSeals, hiddenLine, hiddenSeal } from '../../src/text/seal.ts';
import { apiKey, type EventRun, runOnEvent } from './run.ts';
import {
  type Reply as ApiReply,
  active,
  bot,
  commentsPath,
  created,
  done,
  installation,
  permissions,
  quietIssue,
  type Reply,
  type Routes,
  type ScriptedGitHub,
  startBoth,
} from './servers.ts';

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

/** A thread that keeps its comments from run to run, all of them written by the workflow's token. */
export interface LivingThread {
  readonly routes: Routes;
  /** The comments' texts, oldest first. */
  texts(): readonly string[];
}

/** @param path of the thread's comments */
export function livingThread(path = commentsPath): LivingThread {
  const kept = new Map<number, string>();
  const respond = (response: ServerResponse, status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const keep = (id: number, text: string) => kept.set(id, String(JSON.parse(text).body));
  const single = path.replace(/issues\/\d+\/comments/, 'issues/comments');
  const ofOne = Array.from({ length: 9 }, (_, index) => 501 + index).flatMap(
    (id): [string, Reply][] => [
      [
        `GET ${single}/${id}`,
        (_request, response) => respond(response, 200, { id, body: kept.get(id) }),
      ],
      [
        `PATCH ${single}/${id}`,
        (_request, response, text) => {
          keep(id, text);
          respond(response, 200, { id });
        },
      ],
    ],
  );
  return {
    routes: {
      [`GET ${path}`]: (_request, response) => {
        const comments = [...kept].map(([id, body]) => ({ id, user: { login: bot }, body }));
        respond(response, 200, comments);
      },
      [`POST ${path}`]: (_request, response, text) => {
        const id = 501 + kept.size;
        keep(id, text);
        respond(response, 201, { id });
      },
      ...Object.fromEntries(ofOne),
    },
    texts: () => [...kept.values()],
  };
}

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
  script: readonly ApiReply[] | ((github: ScriptedGitHub) => readonly ApiReply[]) = [
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

const step = { workflow: 'Docs', job: 'docs', step: '__run' };

/** A comment that this step could have written, with changes. */
export function left({
  id = 501,
  author = bot,
  signedWith = apiKey,
  repository = 'acme/product',
  thread = 7,
  ...fields
}: {
  readonly id?: number;
  readonly author?: string;
  readonly signedWith?: string;
  readonly repository?: string;
  readonly thread?: number;
  readonly key?: string;
  readonly jobId?: string;
  readonly run?: string;
} = {}) {
  const value = {
    key: keyOf(step, '', undefined, 'acme'),
    jobId: 'job_old',
    run: '900.1',
    records: [],
    ...fields,
  };
  const where = { purpose: 'comment', place: `${repository}#${thread}` };
  const line = hiddenLine(createSeals(signedWith).seal(value, where));
  return { id, user: { login: author }, body: `### Old news\n\n${line}\n` };
}

/** What the hidden line of a comment on the issue says. */
export function sealedIn(comment: string | undefined): unknown {
  const where = { purpose: 'comment', place: 'acme/product#7' };
  return createSeals(apiKey).unseal(unknown(), hiddenSeal(comment ?? ''), where);
}
