import { runOnEvent } from '../helpers/run.ts';
import { opened } from './agent-calls.ts';
import { type Call, error, isPost, type Place, type Verdict } from './call.ts';
import { startGitHub } from './sound-responses.ts';

/** Octokit parses JSON only if its content type says that it is JSON. */
const unlabelledJson = 'wrong content type';

const goesOn: Verdict = { ...opened, arrivals: 'any' };
const unclear = error('permission-check-failed', 'any');
const stranger: Verdict = {
  result: 'skipped',
  reason: 'actor-not-allowed',
  arrivals: 'any',
  fails: false,
};

const run = ({ serviceUrl, githubUrl, env, speed }: Place) =>
  runOnEvent({
    eventName: 'issues',
    event: 'issues-labeled-by-owner',
    githubUrl,
    baseUrl: serviceUrl,
    speed,
    env,
    inputs: { 'wait-minutes': '2' },
  });

/** The check fails closed, and before anything is sent to the API. */
const permissionCheck: Call = {
  name: 'permission check',
  server: 'github',
  goodFirst: 0,
  isUnderFire: ({ path }) => path.includes('/collaborators/'),
  startSound: startGitHub,
  run,
  verdictOf: ({ knowledge, name }) =>
    knowledge === 'harmless' && name !== unlabelledJson ? goesOn : unclear,
  verdictOfStatus: (status) => (status === 404 ? stranger : unclear),
  known: {},
};

/** The comment is optional: whatever goes wrong, the step ends as it would without one. */
const comment: Call = {
  ...permissionCheck,
  name: 'comment',
  goodFirst: 1,
  isUnderFire: (request) => isPost(request) && request.path.endsWith('/comments'),
  verdictOf({ knowledge, connection }) {
    // If a connection breaks before a request is read, it is unknown which request it was for. After a
    // rate limit, the request is repeated if GitHub says for when, in seconds.
    const isAny = connection !== undefined || knowledge === 'later';
    return { ...opened, arrivals: isAny ? 'any' : knowledge === 'never-left' ? 'none' : 'one' };
  },
  verdictOfStatus: () => opened,
  known: { 'job-id': 'job_8f2' },
};

/** The agent action's requests to GitHub. */
export const githubCalls: readonly Call[] = [permissionCheck, comment];
