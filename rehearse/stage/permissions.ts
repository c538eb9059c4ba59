import * as v from 'valibot';
import { parse } from 'yaml';
import {
  grants,
  type PermissionLevel,
  type Permissions,
} from '../../sandbox/github/permissions.ts';

const permissionsSchema = v.optional(
  v.union([
    v.picklist(['read-all', 'write-all']),
    v.record(v.string(), v.picklist(['read', 'write', 'none'])),
  ]),
);
const workflowSchema = v.looseObject({
  permissions: permissionsSchema,
  jobs: v.record(
    v.string(),
    v.looseObject({ permissions: permissionsSchema, uses: v.optional(v.string()) }),
  ),
});

/** The permissions of a workflow that asks for none, as new repositories set them. */
const defaults: Permissions = { contents: 'read', packages: 'read' };

/**
 * The permissions of a workflow's own token. act has one token for all jobs of a run, so this is what
 * the jobs have together.
 *
 * @param read returns the text of a workflow that a job calls, if it is at hand
 * @throws Error when a called workflow asks for more than its caller grants, which GitHub refuses
 */
export function permissionsOf(
  text: string,
  read: (uses: string) => string | undefined,
  granted: Permissions = defaults,
): Permissions {
  const { permissions, jobs } = v.parse(workflowSchema, parse(text));
  const all = Object.entries(jobs).map(([name, job]) => {
    const asked = levelsOf(job.permissions ?? permissions) ?? granted;
    const called = job.uses === undefined ? undefined : read(job.uses);
    const used = called === undefined ? asked : permissionsOf(called, read, asked);
    const missing = Object.entries(used).find(([scope, level]) => !grants(asked, scope, level));
    if (missing !== undefined) {
      const [scope, level] = missing;
      throw new Error(
        `its job ${name} does not grant "${scope}: ${level}", for which ${job.uses} asks, so GitHub would not start it: add that to the job's permissions`,
      );
    }
    return used;
  });
  const scopes = new Set(all.flatMap((each) => Object.keys(each)));
  return Object.fromEntries([...scopes].map((scope) => [scope, highest(all, scope)]));
}

function levelsOf(value: v.InferOutput<typeof permissionsSchema>): Permissions | undefined {
  switch (value) {
    case 'read-all':
      return { '*': 'read' };
    case 'write-all':
      return { '*': 'write' };
    default:
      return value;
  }
}

function highest(all: readonly Permissions[], scope: string): PermissionLevel {
  const has = (level: PermissionLevel) => all.some((each) => grants(each, scope, level));
  return (['write', 'read'] as const).find(has) ?? 'none';
}
