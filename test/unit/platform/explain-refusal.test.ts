import { describe, expect, it } from 'vitest';
import {
  explainRefusal,
  type Refusal,
  type RequestContext,
} from '../../../src/platform/failure.ts';

const write: RequestContext = {
  host: 'api.example',
  projectId: 'acme',
  scope: 'write',
  hourlyLimit: 'it takes 5 in an hour',
};
const read: RequestContext = { ...write, scope: 'read' };
const contexts = [write, read, { ...write, jobId: 'job_1' }, { ...read, jobId: 'job_1' }];

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);

/** Every combination of what a refusal can contain. */
const bodies: readonly Omit<Refusal, 'status'>[] = [
  {},
  { apiMessage: 'no' },
  { apiMessage: 'not on your current plan' },
  { apiMessage: 'Insufficient AI credits' },
  { rayId: '8f2a-FRA' },
  { edge: { isPage: true } },
  { edge: { isPage: true }, rayId: '8f2a-FRA' },
  { edge: { isPage: false, cloudflareCode: '1010' } },
  { edge: { isPage: false, cloudflareCode: '1010' }, rayId: '8f2a-FRA' },
];

/** What happened, a colon, and what to do. */
const sentence =
  /^(?!.*undefined)(?:The API|Something in front of the API|Cloudflare, in front of the API) at api\.example,? [^:]*[^:\s]: [^:\s][^:]*[^:\s]\.$/;

const doubt = 'also check base-url and the proxy';
const blamesTheKey = /admin key|api key is read-only|allow-list/i;

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

  it('is one sentence for every status, body and request', () => {
    for (const status of statuses) {
      for (const context of contexts) {
        for (const body of bodies) {
          expect(explainRefusal({ status, ...body }, context).message).toMatch(sentence);
        }
      }
    }
  });

  it("quotes the API's message on one line", () => {
    expect(explainRefusal({ status: 400, apiMessage: 'no\n::error::' }, write).what).toBe(
      'the API at api.example responded with 400 ("no ::error::")',
    );
    expect(explainRefusal({ status: 400 }, write).what).toBe(
      'the API at api.example responded with 400',
    );
  });

  it.each([401, 402, 403, 404])(
    'with %d doubts that it is from the API only without a message',
    (status) => {
      for (const context of contexts) {
        expect(advice({ status }, context)).toContain(doubt);
        expect(advice({ status, apiMessage: 'no' }, context)).toMatch(/[a-z)]$/);
        expect(advice({ status, apiMessage: 'no' }, context)).not.toContain(doubt);
      }
    },
  );

  it('refers to the message only if there is one', () => {
    expect(advice({ status: 400, apiMessage: 'no' })).toContain('for that reason');
    expect(advice({ status: 400 })).not.toContain('for that reason');
  });

  it('is a redirect below 400', () => {
    expect(explainRefusal({ status: 399 }, write).what).toContain('a redirect');
    expect(explainRefusal({ status: 400 }, write).what).not.toContain('redirect');
  });

  it('names the job that does not exist, or the project', () => {
    const refusal: Refusal = { status: 404, apiMessage: 'no' };
    expect(explainRefusal(refusal, { ...read, jobId: 'job_1' })).toMatchObject({
      reason: 'job-not-found',
      advice: expect.stringContaining('no job job_1 in project acme'),
    });
    expect(advice(refusal)).toContain('no access to project acme');
  });

  it('names the hourly limit', () => {
    expect(advice({ status: 429, apiMessage: 'no' })).toContain('it takes 5 in an hour');
  });

  it.each([401, 403])('with %d says what is wrong with the key if that is known', (status) => {
    const keyProblem = 'this is an assistant key';
    expect(advice({ status, apiMessage: 'no' }, { ...read, keyProblem })).toMatch(
      /^this is an assistant key, so create a new admin key /,
    );
    expect(advice({ status, apiMessage: 'no' }, read)).not.toContain('assistant');
  });
});

describe('403 with a message of the API', () => {
  it('depends on the scope that the request needs', () => {
    const [forWrite, forRead] = [write, read].map((context) =>
      advice({ status: 403, apiMessage: 'Forbidden' }, context),
    );
    expect(forWrite).toMatch(
      /^the API key is read-only, belongs to a different organisation .* or /,
    );
    expect(forWrite).toContain('create an admin key that can write, without an allow-list');
    expect(forRead).toMatch(
      /^the API key belongs to a different organisation .* or has an IP allow-list/,
    );
    expect(forRead).toMatch(/\(a read-only key is enough for this\)$/);
  });
});

describe('the plan and the credits', () => {
  const plan = /^the agent and the API require Mintlify's Pro or Enterprise plan/;
  const credits = /^the organisation's AI credits, which all its projects share, /;

  it.each([
    ['This feature is not available on your current plan', plan],
    ['Upgrade your PLAN', plan],
    ['Plans: Pro', plan],
    ['Insufficient AI credits', credits],
    ['Not enough credits on this plan', credits],
    ['1 Credit left', credits],
  ])('are recognised in %j', (apiMessage, expected) => {
    for (const status of [402, 403]) {
      expect(advice({ status, apiMessage }, read)).toMatch(expected);
      expect(advice({ status, apiMessage })).not.toMatch(blamesTheKey);
    }
  });

  it.each(['an explanation', 'the planet', 'credited', 'accreditation'])(
    'are not recognised in %j',
    (apiMessage) => {
      expect(advice({ status: 403, apiMessage })).toMatch(/^the API key is read-only/);
      expect(advice({ status: 402, apiMessage })).toMatch(
        /^the organisation's plan or its AI credits/,
      );
    },
  );

  it('are not suggested for other statuses', () => {
    expect(advice({ status: 400, apiMessage: 'plan' })).toContain('for that reason');
    expect(advice({ status: 401, apiMessage: 'plan' })).toMatch(blamesTheKey);
  });
});

describe('a response from something in front of the API', () => {
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
  ])('is described from %j', (body, what) => {
    expect(explainRefusal({ status: 403, ...body }, write).what).toBe(what);
  });

  it("never blames the key, the plan or the API's limit", () => {
    for (const status of statuses.filter((each) => each >= 400)) {
      for (const context of contexts) {
        for (const body of bodies.filter(({ edge }) => edge !== undefined)) {
          const text = advice({ status, ...body }, context);
          expect(text).not.toMatch(blamesTheKey);
          expect(text).not.toContain('plan');
          expect(text).not.toContain(write.hourlyLimit);
        }
      }
    }
  });

  it('suggests the support only if Cloudflare is involved, and mentions the ray id if there is one', () => {
    const helps = bodies
      .filter(({ edge }) => edge !== undefined)
      .map((body) => /contact Mintlify's support.*$/.exec(advice({ status: 403, ...body }))?.[0]);
    expect(helps).toEqual([
      undefined,
      "contact Mintlify's support and give them the ray id",
      "contact Mintlify's support",
      "contact Mintlify's support and give them the ray id",
    ]);
  });
});
