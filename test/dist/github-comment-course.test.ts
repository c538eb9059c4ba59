import { describe, expect, it } from 'vitest';
import { list, patch, post, runWithComment as run } from '../helpers/comment-run.ts';
import { apiKey } from '../helpers/run-agent.ts';
import { type EventRun, githubToken } from '../helpers/run-on-event.ts';
import { commentsPath } from '../helpers/scripted-github.ts';
import { active, created, refusal, silence } from '../helpers/scripted-service.ts';

describe('the course of a comment', () => {
  it('is created when the job starts and told how it ends', async () => {
    const { written, commentCalls, github, ...result } = await run({});
    expect(result.outputs['result']).toBe('pull-request');
    expect(written().map((text) => text.split('\n')[0])).toEqual([
      '### ⏳ The agent is working',
      '### ✅ Pull request opened',
    ]);
    expect(commentCalls()).toEqual([
      `GET ${commentsPath}?per_page=100&page=1`,
      patch,
      'POST /graphql',
      post,
    ]);
    for (const { headers } of github.arrivals) {
      expect(headers.authorization).toBe(`token ${githubToken}`);
    }
    expect(written().join()).not.toContain(apiKey);
  });

  it('tells of an error after the start', async () => {
    const { written, ...result } = await run({}, {}, [created, refusal(401), refusal(401)]);
    expect(result.outputs['result']).toBe('error');
    expect(written().at(-1)).toContain('### ❌ The step ended with an error');
    expect(written().at(-1)).toContain('answered 401');
  });

  it('is not written where nothing was started', async () => {
    const { written, commentCalls, ...result } = await run({}, {}, [refusal(401)]);
    expect(result.outputs['reason']).toBe('key-refused');
    expect(commentCalls()).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('tells of a cancelled run: %s', async (signal) => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.startsWith('Started job')) kill(signal);
    };
    const { count, written, ...result } = await run({}, { onLine, speed: 1 }, [created, active]);
    expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(result.signal).toBeNull();
    expect(written().at(-1)).toContain('### 🛑 The run was cancelled');
    expect(count(post)).toBe(1);
  });

  it('keeps a cancelled run waiting no longer than its own limit', async () => {
    const onLine: EventRun['onLine'] = (line, _stream, kill) => {
      if (line.startsWith('Started job')) kill('SIGINT');
    };
    const result = await run({ [list]: silence }, { onLine, speed: 5 }, [created, active]);
    expect(result.outputs['result']).toBe('cancelled');
    expect(result.signal).toBeNull();
  });
});
