import * as v from 'valibot';
import type { Person } from '../../sandbox/github/seed.ts';
import { clientOf } from './results.ts';
import type { Stage } from './stage.ts';

const text = v.string();

/** The fields that a person has in a payload. The API also sends a profile. */
const userSchema = v.object({
  login: text,
  id: v.number(),
  node_id: text,
  avatar_url: text,
  gravatar_id: text,
  url: text,
  html_url: text,
  followers_url: text,
  following_url: text,
  gists_url: text,
  starred_url: text,
  subscriptions_url: text,
  organizations_url: text,
  repos_url: text,
  events_url: text,
  received_events_url: text,
  type: text,
  user_view_type: text,
  site_admin: v.boolean(),
});

export type User = v.InferOutput<typeof userSchema>;

/** A person, as in the payloads of GitHub. */
export async function userOf(login: Person, stage: Stage): Promise<User> {
  return await clientOf('owner', stage).request('GET', `/users/${login}`, userSchema);
}
