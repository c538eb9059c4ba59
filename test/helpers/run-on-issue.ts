import { startBoth } from './both-servers.ts';
import { type EventRun, runOnEvent } from './run-on-event.ts';
import { created, done } from './scripted-api.ts';
import { permissions } from './scripted-github.ts';

const prompt = 'Title: {{event.issue.title}}\n\n{{ event.issue.body }}';

/** Runs the bundle on an issue that the owner labelled. */
export async function runOnIssue(issue: object, step: Partial<EventRun> = {}) {
  const { github, api } = await startBoth(permissions({ owner: 'admin' }), () => [created, done]);
  const owner = { login: 'owner', type: 'User' };
  const result = await runOnEvent({
    eventName: 'issues',
    event: { action: 'labeled', sender: owner, issue: { number: 7, user: owner, ...issue } },
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: { prompt, comment: 'false', ...step.inputs },
  });
  const [arrival] = api.arrivals;
  const sent: unknown = arrival === undefined ? undefined : JSON.parse(arrival.body);
  return { ...result, sent };
}
