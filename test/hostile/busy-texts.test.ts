import { expect, it } from 'vitest';
import { busyTexts, expectSoundEnd } from '../helpers/busy-texts.ts';
import { runOnIssue } from '../helpers/run-on-issue.ts';

it.each(busyTexts)(
  '%s: the request goes out, or one sentence says why not',
  async (_name, body) => {
    const result = await runOnIssue({ title: 'A', body });
    expect(result.signal).toBeNull();
    expectSoundEnd(result);
  },
);
