import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { issueCommented } from '../stage/events.ts';
import {
  agentClientOf,
  assertSucceeded,
  commentsOn,
  onlyPullOf,
  promptsOf,
} from '../stage/results.ts';
import type { Stage } from '../stage/stage.ts';
import type { Scenario } from './scenario.ts';

const WORKFLOW = 'examples/issue-comment.yml';

/** Comments on an issue or a pull request, and runs the workflow. @returns The log. */
async function comment(stage: Stage, number: number, text: string, login: string) {
  const event = issueCommented(stage, number, text, login);
  const result = await stage.run({
    workflow: WORKFLOW,
    eventName: 'issue_comment',
    event,
    actor: login,
  });
  assertSucceeded(result);
  return result.log;
}

/** A comment on an issue starts a job for one page. */
export const issueComment: Scenario = {
  workflows: [WORKFLOW],
  shows: "A writer's /docs comment on an issue changes the page that it names, and no other does.",
  async run(stage) {
    const text = '/docs guides/deploy.mdx says nothing about retries.';
    const refused = await comment(stage, 1, text, 'stranger');
    assert.match(refused, /Nothing was started, because stranger has the permission read/);
    await comment(stage, 1, 'Thanks!', 'writer');
    await comment(stage, 1, '/docs/guides/deploy.mdx is fine.', 'writer');
    await comment(stage, 1, `> ${text}\n\nDone.`, 'writer');
    assert.deepEqual(stage.sandbox.requests, [], 'Another comment caused a request');

    await comment(stage, 1, `\r\n ${text}`, 'writer');
    const [prompt = '', ...others] = promptsOf(stage);
    assert.deepEqual(others, []);
    assert.ok(prompt.includes(text), prompt);
    const pull = onlyPullOf(stage);
    const files = v.array(v.object({ filename: v.string() }));
    const path = `/repos/${DOCS_REPOSITORY}/pulls/${pull.number}/files`;
    const changed = await agentClientOf(stage).request('GET', path, files);
    assert.deepEqual(changed, [{ filename: 'guides/deploy.mdx' }]);
    const answer = commentsOn(1, stage).at(-1);
    assert.equal(answer?.login, 'github-actions[bot]');
    assert.ok(answer.body.includes(pull.html_url), answer.body);
  },
};
