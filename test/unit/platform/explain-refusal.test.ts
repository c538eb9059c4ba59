import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../src/platform/explain.ts';
import { explainRefusal, type Refusal } from '../../../src/platform/explain-refusal.ts';

const write: RequestContext = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  hourlyLimit: 'it takes 5 in an hour',
};
const read: RequestContext = { ...write, scope: 'read' };
const contexts = [write, read, { ...write, jobId: 'job_1' }, { ...read, jobId: 'job_1' }];

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);

/** Whose words a refusal can be in. */
const voices: readonly Omit<Refusal, 'status'>[] = [
  {},
  { words: 'no' },
  { words: 'not on your current plan' },
  { words: 'Insufficient AI credits' },
  { rayId: '8f2a-FRA' },
  { edge: { isPage: true } },
  { edge: { isPage: true }, rayId: '8f2a-FRA' },
  { edge: { isPage: false, cloudflareCode: '1010' } },
  { edge: { isPage: false, cloudflareCode: '1010' }, rayId: '8f2a-FRA' },
];

/** What happened, then after a colon what to do; both are there. */
const sentence =
  /^(?!.*undefined)(?:The API|Something in front of the API|Cloudflare, in front of the API) at api\.example,? [^:]*[^:\s]: [^:\s][^:]*[^:\s]\.$/;

const doubt = 'check base-url and the proxy as well';
const blamesTheKey = /admin key|api key (?:is|may)|allow-list/i;

function advice(refusal: Refusal, context = write): string {
  return explainRefusal(refusal, context).advice;
}

describe('a refusal', () => {
  it.each([
    [302, 'request-refused'],
    [399, 'request-refused'],
    [400, 'request-refused'],
    [401, 'key-refused'],
    [402, 'forbidden'],
    [403, 'forbidden'],
    [404, 'project-not-found'],
    [418, 'request-refused'],
    [425, 'rate-limited'],
    [429, 'rate-limited'],
    [499, 'request-refused'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('with %d is %s', (status, reason) => {
    expect(explainRefusal({ status }, write).reason).toBe(reason);
  });

  it('is one sentence, whatever its status, whoever speaks, whatever was asked', () => {
    for (const status of statuses) {
      for (const context of contexts) {
        for (const voice of voices) {
          expect(explainRefusal({ status, ...voice }, context).message).toMatch(sentence);
        }
      }
    }
  });

  it("quotes the API's own words, on one line", () => {
    expect(explainRefusal({ status: 400, words: 'no\n::error::' }, write).what).toBe(
      'the API at api.example responded with 400 ("no ::error::")',
    );
    expect(explainRefusal({ status: 400 }, write).what).toBe(
      'the API at api.example responded with 400',
    );
  });

  it.each([401, 402, 403, 404])(
    'with %d doubts whose it is only where it has no such words',
    (status) => {
      for (const context of contexts) {
        expect(advice({ status }, context)).toContain(doubt);
        expect(advice({ status, words: 'no' }, context)).toMatch(/[a-z)]$/);
        expect(advice({ status, words: 'no' }, context)).not.toContain(doubt);
      }
    },
  );

  it('points to its words only where it has some', () => {
    expect(advice({ status: 400, words: 'no' })).toContain('for that reason');
    expect(advice({ status: 400 })).not.toContain('for that reason');
  });

  it('is a redirect below 400', () => {
    expect(explainRefusal({ status: 399 }, write).what).toContain('a redirect');
    expect(explainRefusal({ status: 400 }, write).what).not.toContain('redirect');
  });

  it('names the job that is not there, or the project', () => {
    expect(explainRefusal({ status: 404, words: 'no' }, { ...read, jobId: 'job_1' })).toMatchObject(
      {
        reason: 'job-not-found',
        advice: expect.stringContaining('no job job_1 in project acme'),
      },
    );
    expect(advice({ status: 404, words: 'no' })).toContain('no access to project acme');
  });

  it('names the hourly limit', () => {
    expect(advice({ status: 429, words: 'no' })).toContain('it takes 5 in an hour');
  });

  it.each([401, 403])('with %d says what is wrong with the key where it is known', (status) => {
    const keyProblem = 'this is an assistant key';
    expect(advice({ status, words: 'no' }, { ...read, keyProblem })).toMatch(
      /^this is an assistant key, so make a new admin key /,
    );
    expect(advice({ status, words: 'no' }, read)).not.toContain('assistant');
  });
});

describe('403 in the words of the API', () => {
  it('goes by what was asked', () => {
    const [forWrite, forRead] = [write, read].map((context) =>
      advice({ status: 403, words: 'Forbidden' }, context),
    );
    expect(forWrite).toMatch(/^the API key may only read, belongs to another organisation .* or /);
    expect(forWrite).toContain('make an admin key that may write, without an allow-list');
    expect(forRead).toMatch(
      /^the API key belongs to another organisation .* or has an IP allow-list/,
    );
    expect(forRead).toMatch(/\(a key that may only read is enough for this\)$/);
  });
});

describe('the plan and the credits', () => {
  const plan = /^the agent and the API need a Pro or Enterprise plan/;
  const credits = /^the organisation's AI credits, which all its projects share, /;

  it.each([
    ['This feature is not available on your current plan', plan],
    ['Upgrade your PLAN', plan],
    ['Plans: Pro', plan],
    ['Insufficient AI credits', credits],
    ['Not enough credits on this plan', credits],
    ['1 Credit left', credits],
  ])('are told from %j', (words, expected) => {
    for (const status of [402, 403]) {
      expect(advice({ status, words }, read)).toMatch(expected);
      expect(advice({ status, words })).not.toMatch(blamesTheKey);
    }
  });

  it.each(['an explanation', 'the planet', 'credited', 'accreditation'])(
    'are not told from %j',
    (words) => {
      expect(advice({ status: 403, words })).toMatch(/^the API key may only read/);
      expect(advice({ status: 402, words })).toMatch(/^the organisation's plan or its AI credits/);
    },
  );

  it('are nothing that another status is about', () => {
    expect(advice({ status: 400, words: 'plan' })).toContain('for that reason');
    expect(advice({ status: 401, words: 'plan' })).toMatch(blamesTheKey);
  });
});

describe('whoever responds in front of the API', () => {
  it.each([
    [
      { edge: { isPage: false, cloudflareCode: '1010' }, rayId: '8f2a-FRA' },
      'Cloudflare, in front of the API at api.example, responded with 403 (error 1010, ray 8f2a-FRA)',
    ],
    [
      { edge: { isPage: false, cloudflareCode: '1010' } },
      'Cloudflare, in front of the API at api.example, responded with 403 (error 1010)',
    ],
    [
      { edge: { isPage: true }, rayId: '8f2a-FRA' },
      'something in front of the API at api.example responded with 403 and a web page (Cloudflare ray 8f2a-FRA)',
    ],
    [
      { edge: { isPage: true } },
      'something in front of the API at api.example responded with 403 and a web page',
    ],
    [
      { edge: { isPage: false }, rayId: '8f2a-FRA' },
      'something in front of the API at api.example responded with 403 (Cloudflare ray 8f2a-FRA)',
    ],
    [{ rayId: '8f2a-FRA' }, 'the API at api.example responded with 403 (Cloudflare ray 8f2a-FRA)'],
  ])('%j is told as such', (voice, what) => {
    expect(explainRefusal({ status: 403, ...voice }, write).what).toBe(what);
  });

  it('never has the key, the plan or the limit of the API blamed', () => {
    for (const status of statuses.filter((each) => each >= 400)) {
      for (const context of contexts) {
        for (const voice of voices.filter(({ edge }) => edge !== undefined)) {
          const text = advice({ status, ...voice }, context);
          expect(text).not.toMatch(blamesTheKey);
          expect(text).not.toContain('plan');
          expect(text).not.toContain(write.hourlyLimit);
        }
      }
    }
  });

  it("asks for the ray only where there is one, and for Mintlify's help only where that can help", () => {
    const helps = voices
      .filter(({ edge }) => edge !== undefined)
      .map((voice) => /ask Mintlify's support.*$/.exec(advice({ status: 403, ...voice }))?.[0]);
    expect(helps).toEqual([
      undefined,
      "ask Mintlify's support and name the ray",
      "ask Mintlify's support",
      "ask Mintlify's support and name the ray",
    ]);
  });
});
