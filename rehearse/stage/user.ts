import * as v from 'valibot';
import type { Person } from '../../sandbox/github/seed.ts';
import { clientOf } from './results.ts';
import type { Stage } from './stage.ts';

/** The fields that a person has in a payload. The API also sends a profile. */
const userSchema = v.object({
  ...v.object({ login: v.string(), id: v.number(), site_admin: v.boolean() }).entries,
  ...textFields('node_id', 'avatar_url', 'gravatar_id', 'url', 'html_url', 'followers_url'),
  ...textFields('following_url', 'gists_url', 'starred_url', 'subscriptions_url'),
  ...textFields('organizations_url', 'repos_url', 'events_url', 'received_events_url'),
  ...textFields('type', 'user_view_type'),
});

/** Entries of a schema whose fields are texts. */
export function textFields(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, v.string()]));
}

export type User = v.InferOutput<typeof userSchema>;

/** A person, as in the payloads of GitHub. */
export async function userOf(login: Person, stage: Stage): Promise<User> {
  return await clientOf('owner', stage).request('GET', `/users/${login}`, userSchema);
}
