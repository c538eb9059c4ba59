import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { looseObject, object, string, unknown } from 'valibot';
import { onTestFinished } from 'vitest';
import { closeServer, listen } from '../../sandbox/listen.ts';
import type { PullRequestRecord } from '../../src/agent/earlier/pull-request-record.ts';
import { keyOf } from '../../src/agent/earlier/step-comment.ts';
import { createGitHub, type GitHub } from '../../src/github/client.ts';
import type { Session } from '../../src/github/request.ts';
import type { Counts } from '../../src/platform/visitors.ts';
import {
  hiddenLine,
  hiddenValue,
  lastHidden,
  readHiddenValue,
  seal,
  unseal,
} from '../../src/text/seal.ts';
import { leaveUnanswered } from './jumping-clock.ts';

/* What is there when an action runs: Mintlify's API, GitHub and proxies, as real servers on loopback. */

/** The API key of the tests. It must never appear outside the Authorization header. */
export const apiKey = 'mint_k3y-0f-th3-tests';

/** The token of the tests. It must never appear outside the Authorization header. */
export const githubToken = 'ghs_t0ken-0f-th3-tests';

/** What a server does with one request. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string or bytes are sent unchanged, anything else as JSON. */
      readonly body?: unknown;
    }
  /** Anything else, such as to break the connection or not to respond. */
  | ((request: IncomingMessage, response: ServerResponse, body: string) => void);

/** A success with this body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** A refusal in the form of GitHub. */
export function githubError(status: number, message: string): Reply {
  return { status, body: { message } };
}

/** A request that arrived. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server with scripted replies. */
export interface ScriptedServer {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Such as `GET /path?query`, in order. */
  readonly calls: readonly string[];
  /** Those that start something, or send something. */
  readonly posts: readonly string[];
  close(): Promise<void>;
}

/**
 * Nobody listens there. The port of a server that was closed may be that of another test's server at once,
 * and no server gets this one by chance.
 */
export const closedUrl = 'http://127.0.0.1:9';

async function startServer(choose: (arrival: Arrival) => Reply): Promise<ScriptedServer> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const arrival = { method, path: url, headers, body: await readText(request) };
    arrivals.push(arrival);
    const reply = choose(arrival);
    if (typeof reply === 'function') {
      reply(request, response, arrival.body);
      return;
    }
    const { body = '' } = reply;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  const callOf = ({ method, path }: Arrival) => `${method} ${path}`;
  return {
    url: await listen(server, 0),
    arrivals,
    get calls() {
      return arrivals.map(callOf);
    },
    get posts() {
      return arrivals.filter(({ method }) => method === 'POST').map(callOf);
    },
    close: () => closeServer(server),
  };
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The requests that cost something, as `posts` has them. */
export const create = 'POST /v2/agent/acme/job';
export const followUp = 'POST /v2/agent/acme/job/job_8f2/message';

/** Breaks the connection without a response. */
export const reset: Reply = (request) => request.socket.destroy();

/** Never responds. */
export const silence: Reply = (request) => leaveUnanswered(request.socket.remotePort);

/** Sends headers, then nothing more. */
export const silentBody: Reply = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
  leaveUnanswered(request.socket.remotePort);
};

/** Responds with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/* Mintlify's API */

export type ScriptedApi = ScriptedServer;

/**
 * @param script the replies in order; the last one is used for all later requests
 * @param onArrival called for each request before the response
 */
export function scriptedApi(
  script: readonly Reply[],
  onArrival: (arrival: Arrival, count: number) => void = () => {},
): Promise<ScriptedApi> {
  let count = 0;
  return startServer((arrival) => {
    count += 1;
    onArrival(arrival, count);
    return script[count - 1] ?? script.at(-1) ?? { status: 500 };
  });
}

/** An agent job, as the API returns it. */
export function jobBody(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 'job_8f2',
    status: 'active',
    source: { repository: 'acme/docs', ref: 'docs-agent/job_8f2' },
    model: 'model-1',
    prLink: null,
    createdAt: '2026-01-05T08:00:00Z',
    archivedAt: null,
    ...fields,
  };
}

export const created: Reply = { status: 201, body: jobBody() };
export const active: Reply = { status: 200, body: jobBody() };
export const prLink = 'https://github.com/acme/docs/pull/12';
export const done: Reply = { status: 200, body: jobBody({ status: 'completed', prLink }) };

export function ended(status: string, fields: Readonly<Record<string, unknown>> = {}): Reply {
  return ok(jobBody({ status, ...fields }));
}

/** Creates job_1, job_2 and so on, and returns each with its status. */
export function livingJobs(statuses: Readonly<Record<string, string>> = {}): Reply {
  let count = 0;
  return ({ method, url = '' }, response) => {
    const isNew = method === 'POST' && url.endsWith('/job');
    count += isNew ? 1 : 0;
    const id = isNew ? `job_${count}` : (/job_\w+/.exec(url)?.[0] ?? '');
    const status = method === 'POST' ? 'active' : (statuses[id] ?? 'active');
    json(response, jobBody({ id, status }), isNew ? 201 : 200);
  };
}

export function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { error: `refused with ${status}` } };
}

export interface Row extends Counts {
  readonly path: string;
}

/** Visitors of a page: this many, all human. */
export function row(path: string, counts: Partial<Counts> = {}): Row {
  const { total = 10, human = total, ai = 0 } = counts;
  return { path, human, ai, total };
}

export function rows(count: number, prefix = '/page-'): readonly Row[] {
  return Array.from({ length: count }, (_, index) => row(`${prefix}${index}`));
}

export const totals: Counts = { human: 900, ai: 300, total: 1000 };

/** A response with these rows. */
export function batch(visitors: readonly Row[], hasMore = false): Reply {
  return ok({ totals, visitors, hasMore });
}

/** The responses to an export of these rows, 250 in each. */
export function batches(all: readonly Row[]): readonly Reply[] {
  const count = Math.max(1, Math.ceil(all.length / 250));
  return Array.from({ length: count }, (_, index) =>
    batch(all.slice(index * 250, (index + 1) * 250), index + 1 < count),
  );
}

/* GitHub */

/** Replies by `GET /path`, without the query. Several are used in order, the last one repeatedly. */
export type Routes = Readonly<Record<string, Reply | readonly Reply[]>>;

/** Replies by `GET /path`, without the query, and by the request. */
export type Script = (route: string, arrival: Arrival) => Reply;

export type ScriptedGitHub = ScriptedServer;

export const notFound: Reply = { status: 404, body: { message: 'Not Found' } };

/** A GitHub with scripted responses, and 404 for every other request. */
export function scriptedGitHub(script: Routes | Script): Promise<ScriptedGitHub> {
  const counts = new Map<string, number>();
  return startServer((arrival) => {
    const route = `${arrival.method} ${arrival.path.split('?')[0]}`;
    const count = counts.get(route) ?? 0;
    counts.set(route, count + 1);
    const replies = [
      typeof script === 'function' ? script(route, arrival) : (script[route] ?? notFound),
    ].flat();
    const reply = replies[Math.min(count, replies.length - 1)] ?? { status: 500 };
    return typeof reply === 'function' ? reply : { body: {}, ...reply };
  });
}

const repository = '/repos/acme/product';

/** GitHub's responses about users, by login: a role, or 404. */
export function permissions(roles: Readonly<Record<string, string | 404>>): Routes {
  const coarse: Record<string, string> = { maintain: 'write', triage: 'read' };
  return Object.fromEntries(
    Object.entries(roles).map(([login, role]) => [
      `GET ${repository}/collaborators/${login}/permission`,
      role === 404
        ? { status: 404, body: { message: `${login} is not a user` } }
        : ok({
            permission: coarse[role] ?? role,
            role_name: role,
            user: { login, type: 'User' },
          }),
    ]),
  );
}

export const bot = 'github-actions[bot]';

/** The token of an App. */
export const installation: Routes = {
  'POST /graphql': ok({ data: { viewer: { login: bot } } }),
};

/** A scripted GitHub and a scripted API, which are closed after the test. */
export async function startBoth(
  routes: Routes,
  scriptOf: (github: ScriptedGitHub) => readonly Reply[],
): Promise<{ github: ScriptedGitHub; api: ScriptedApi }> {
  const github = await scriptedGitHub(routes);
  const api = await scriptedApi(scriptOf(github));
  onTestFinished(async () => {
    await Promise.all([github.close(), api.close()]);
  });
  return { github, api };
}

/* GitHub, with comments on an issue */

export const commentsPath = `${repository}/issues/7/comments`;

/** The routes for comments on issue 7. */
export const list = `GET ${commentsPath}`;
export const post = `POST ${commentsPath}`;
export const patch = `PATCH ${repository}/issues/comments/501`;

/** A GitHub where the owner labels an issue without comments, and every request succeeds. */
export const working: Routes = {
  ...permissions({ owner: 'admin' }),
  ...installation,
  [list]: ok([]),
  [post]: { status: 201, body: { id: 501 } },
  [patch.replace('PATCH', 'GET')]: ok({ id: 501 }),
  [patch]: ok({ id: 501 }),
};

/** A thread that keeps its comments from run to run. */
export interface LivingThread {
  readonly routes: Routes;
  /** Oldest first; those of a run are by the workflow's token. */
  readonly comments: { id: number; user: { login: string }; body: string }[];
  texts(): readonly string[];
}

/** @param path of the thread's comments */
export function livingThread(path = commentsPath): LivingThread {
  const comments: LivingThread['comments'] = [];
  const textOf = (request: string) => String(JSON.parse(request).body);
  const single = path.replace(/issues\/\d+\/comments/, 'issues/comments');
  const ofOne = (index: number): Routes => ({
    [`GET ${single}/${501 + index}`]: (_request, response) => json(response, comments[index]),
    [`PATCH ${single}/${501 + index}`]: (_request, response, text) =>
      json(response, Object.assign(Object(comments[index]), { body: textOf(text) })),
  });
  return {
    routes: {
      [`GET ${path}`]: (_request, response) => json(response, comments),
      [`POST ${path}`]: (_request, response, text) => {
        comments.push({ id: 501 + comments.length, user: { login: bot }, body: textOf(text) });
        json(response, comments.at(-1), 201);
      },
      ...ofOne(0),
      ...ofOne(1),
      ...ofOne(2),
    },
    comments,
    texts: () => comments.map(({ body }) => body),
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
    key: keyOf(step, '', undefined),
    jobId: 'job_old',
    run: '900.1',
    records: [],
    ...fields,
  };
  const where = { purpose: 'comment', place: `${repository}#${thread}` };
  const line = hiddenLine(seal(value, where, signedWith));
  return { id, user: { login: author }, body: `### Old news\n\n${line}\n` };
}

/** What the hidden line of a comment on the issue says. */
export function sealedIn(comment: string | undefined): unknown {
  const where = { purpose: 'comment', place: 'acme/product#7' };
  return unseal(unknown(), lastHidden(comment ?? ''), where, apiKey);
}

/* GitHub, with a pull request that has a label */

/** Requests about the labelled pull request `acme/docs#12`, as `GET /path`. */
export const routes = {
  labelled: 'GET /repos/acme/docs/issues',
  comments: 'GET /repos/acme/docs/issues/12/comments',
  comment: 'POST /repos/acme/docs/issues/12/comments',
  edit: 'PATCH /repos/acme/docs/issues/comments/601',
  pull: 'GET /repos/acme/docs/pulls/12',
  files: 'GET /repos/acme/docs/pulls/12/files',
  putLabel: 'POST /repos/acme/docs/issues/12/labels',
} as const;

export const oldHead = 'a'.repeat(40);
export const newHead = 'b'.repeat(40);

/** The pull request with a certain last commit. */
export function pullBody(sha = oldHead, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    number: 12,
    title: 'Refresh the docs',
    html_url: '',
    state: 'open',
    created_at: new Date(Date.now() - 9.5 * 86_400_000).toISOString(),
    head: { ref: 'docs-agent/job_8f2', sha },
    base: { ref: 'main', repo: { private: false } },
    changed_files: 2,
    additions: 5,
    deletions: 1,
    ...fields,
  };
}

/** A comment as an earlier run has left it on `acme/docs#12`. */
export function marked({
  author = bot,
  association = 'NONE',
  id = 601,
  head = oldHead,
  ...fields
}: Partial<PullRequestRecord> & {
  readonly author?: string;
  readonly association?: string;
  readonly id?: number;
  /** The last commit after the last prompt. */
  readonly head?: string;
} = {}) {
  const mark: PullRequestRecord = {
    jobId: 'job_8f2',
    last: { id: '000000000.1', head },
    source: { id: '', name: 'acme/product' },
    ...fields,
  };
  const user = { login: author, type: author.endsWith('[bot]') ? 'Bot' : 'User' };
  const body = `The docs agent opened this.\n\n${hiddenValue('pull-request', mark)}\n`;
  return { id, user, author_association: association, body };
}

/** What the hidden line of a comment on a pull request says. */
export function markIn(body: unknown) {
  const schema = looseObject({
    jobId: string(),
    last: object({ id: string(), head: string() }),
    source: object({ id: string(), name: string() }),
  });
  return readHiddenValue(schema, String(body), 'pull-request');
}

/** An entry of the list of issues. */
export function listedPull(number = 12, fields: Readonly<Record<string, unknown>> = {}) {
  return { number, title: '::error::x', pull_request: {}, ...fields };
}

/** A GitHub with one labelled pull request, whose comment names the job, before and after a follow-up. */
export const open: Routes = {
  ...installation,
  [routes.labelled]: ok([listedPull()]),
  [routes.comments]: ok([marked()]),
  [routes.comment]: { status: 201, body: { id: 602 } },
  [routes.edit]: ok({ id: 601 }),
  [routes.pull]: [ok(pullBody(oldHead)), ok(pullBody(newHead))],
  [routes.files]: ok([{ filename: 'a.mdx' }, { filename: 'b.mdx' }]),
  [routes.putLabel]: ok([]),
};

/** A GitHub without a labelled pull request, on which the job is about to open one. */
export const none: Routes = {
  ...open,
  [routes.labelled]: ok([]),
  [routes.comments]: ok([]),
};

/** Replies of an API with one job, which a follow-up makes active until the next poll. */
export function oneJob(
  github: ScriptedGitHub,
  fields: Readonly<Record<string, unknown>> = {},
): Reply[] {
  const prLink = `${github.url}/acme/docs/pull/12`;
  let status = 'completed';
  const reply: Reply = (request, response) => {
    if (request.method === 'POST') {
      status = 'active';
    }
    const isNew = request.url?.endsWith('/job') === true;
    // The API links no pull request of an active job.
    const isLinked = status !== 'active' && !(isNew && request.method === 'POST');
    const body = jobBody({ status, ...(isLinked && { prLink }), ...fields });
    json(response, body, isNew ? 201 : 200);
    if (request.method === 'GET') {
      status = 'completed';
    }
  };
  return [reply];
}

/** The same API for a dry run, which first asks for a job that cannot exist. */
export function oneJobTried(
  github: ScriptedGitHub,
  fields: Readonly<Record<string, unknown>> = {},
): Reply[] {
  return [refusal(404), ...oneJob(github, fields)];
}

/* Proxies */

/** A proxy that records its requests, and handles the connection with a function. */
export interface Proxy {
  readonly url: string;
  /** The first line of each request: `CONNECT host:port HTTP/1.1`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Refuses every request with 403. */
export function refuse(socket: Socket): void {
  socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
}

/** Accepts a CONNECT, then breaks the connection during the TLS handshake. */
export function acceptThenBreak(socket: Socket): void {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.once('data', () => socket.destroy());
}

export async function startProxy(handle: (socket: Socket) => void): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
      handle(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/* What GitHub returns about the history of acme/product. */

export const startSha = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
export const headSha = '1f7a7a472abf3dd9643fd615f6da379c4acb3e3a';

export function listedCommit(index: number, message = `Commit ${index}`) {
  return {
    sha: String(index).padStart(40, '0'),
    commit: { message },
    author: { login: 'writer', type: 'User' },
    parents: [{ sha: startSha }],
  };
}

export function listedFile(filename: string, fields: object = {}) {
  const patch = `@@ -0,0 +1 @@\n+${filename}`;
  return { sha: 'b1', filename, status: 'added', additions: 1, deletions: 0, patch, ...fields };
}

/** The body of "Compare two commits", with one commit and one file. */
export function comparison(fields: object = {}) {
  const commits = [listedCommit(1, 'Add --watch\n\nIt rebuilds.')];
  return {
    status: 'ahead',
    base_commit: { sha: startSha },
    merge_base_commit: { sha: startSha },
    total_commits: commits.length,
    commits,
    files: [listedFile('src/watch.ts')],
    ...fields,
  };
}

export const identical = { status: 'identical', total_commits: 0, commits: [], files: [] };

/** The commit that two histories have in common. */
export const mergeBase = 'abcdef0123456789abcdef0123456789abcdef01';

export const diverged = { status: 'diverged', merge_base_commit: { sha: mergeBase } };

export function listedRun(head_sha: string, fields: object = {}) {
  return { head_sha, event: 'push', head_repository: { full_name: 'acme/product' }, ...fields };
}

export function listedRelease(tag_name: string, day: number, fields: object = {}) {
  const published_at = `2026-01-${String(day).padStart(2, '0')}T08:00:00Z`;
  return { tag_name, draft: false, prerelease: false, published_at, ...fields };
}

/* A client of GitHub, for the test of a single module */

/** A signal that is never aborted. */
export const noSignal = new AbortController().signal;

/** A client for this address, which is closed after the test. */
export function githubAt(apiUrl: string, httpProxy = ''): GitHub {
  const proxy = { httpProxy, httpsProxy: '', noProxy: '' };
  const github = createGitHub({ apiUrl, readProxy: () => proxy });
  onTestFinished(() => github.close());
  return github;
}

interface GitHubSession {
  readonly server: ScriptedGitHub;
  readonly github: GitHub;
  readonly session: Session;
}

/** A GitHub with scripted responses, and a session with it, which are closed after the test. */
export async function githubSession(script: Routes | Script): Promise<GitHubSession> {
  const server = await scriptedGitHub(script);
  onTestFinished(() => server.close());
  const github = githubAt(server.url);
  return { server, github, session: github.as(githubToken) };
}
