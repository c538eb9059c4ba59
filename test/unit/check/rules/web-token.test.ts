import { expect, it } from 'vitest';
import { findingsOf } from '../../../helpers/change.ts';

const month = 30 * 24 * 60 * 60;
const issued = 1_718_892_333;

/** Put together here, so that nobody takes it for a real one. */
function token(payload: object): string {
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url');
  const signature = 'Qm3vT8kLpZ2xWc7RbN5yHdJf9sAgUe4iKo1MtXqPzVw';
  return [part({ alg: 'HS256', typ: 'JWT' }), part(payload), signature].join('.');
}

const find = (payload: object) =>
  findingsOf(
    { before: { 'a.mdx': 'x' }, after: { 'a.mdx': `Authorization: Bearer ${token(payload)}` } },
    'provider-key',
  ).map(({ what }) => what);

it.each([
  { iss: 'supabase', role: 'service_role', iat: issued, exp: issued + 120 * month },
  { sub: 'ci-runner-7', scope: 'admin' },
])('finds a token that opens something for long: %j', (payload) => {
  expect(find(payload)).toEqual([
    'has what looks like a JSON Web Token that stays valid for long (eyJh…)',
  ]);
});

it.each([
  { sub: 'ci-runner-7', iat: issued, exp: issued + month },
  { sub: 'ci-runner-7', exp: issued },
  { iss: 'supabase', role: 'anon', iat: issued, exp: issued + 120 * month },
  { sub: '1234567890', name: 'John Doe', iat: 1516239022 },
  { iss: 'https://auth.example.com', sub: 'ci-runner-7' },
])('lets samples pass: %j', (payload) => {
  expect(find(payload)).toEqual([]);
});

it('lets text pass that only looks like a token', () => {
  const text = 'eyJhbGciOiJIUzI1NiJ9.eyJ_______________.Qm3vT8kLpZ2xWc7RbN5yHdJf9sAgUe4iKo1M';
  expect(
    findingsOf({ before: { 'a.mdx': 'x' }, after: { 'a.mdx': text } }, 'provider-key'),
  ).toEqual([]);
});
