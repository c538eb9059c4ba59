import * as v from 'valibot';
import type { Person } from '../../sandbox/github/seed.ts';
import { clientOf } from './results.ts';
import type { Stage } from './stage.ts';

/** A person, as in the payloads of GitHub. */
export async function userOf(login: Person, stage: Stage) {
  const schema = v.looseObject({ login: v.string() });
  return await clientOf('owner', stage).request('GET', `/users/${login}`, schema);
}

export type User = Awaited<ReturnType<typeof userOf>>;
