/** The value at a path of the event's payload, if the path exists. */
export type EventField =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' };

/** Reads a field of the payload. */
export function readEventField(payload: unknown, path: readonly string[]): EventField {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return { kind: 'missing' };
    }
    value = Reflect.get(value, name);
  }
  return { kind: 'value', value };
}

/**
 * Fields that people are likely to write without `event.` by mistake. The other top-level fields of the
 * current payload are recognised as well.
 */
export const wellKnownFields: readonly string[] = [
  'check_run',
  'client_payload',
  'comment',
  'commits',
  'deployment',
  'discussion',
  'head_commit',
  'inputs',
  'issue',
  'label',
  'milestone',
  'organization',
  'pull_request',
  'release',
  'repository',
  'review',
  'sender',
  'workflow_run',
];

/** Names, and endings of names, of the fields that GitHub shows as plain text. */
const plainName =
  /^(?:title|name|login|ref|message|label|key|slug|email|.*_(?:title|name|ref|branch|url|sha|id))$/;

/**
 * Whether GitHub shows a field as plain text, such as titles, names, branches and commit messages.
 * Workflow inputs count too, because GitHub shows them on no page, and the people who write them may
 * start the workflow. Every other field is treated as Markdown, which can hide text: bodies,
 * descriptions, and all fields that are not known here.
 */
export function isPlainField(path: readonly string[]): boolean {
  // Items of a list take the list's name, and `changes.title.from` is the earlier title.
  const name = path.findLast((part) => part !== 'from' && !/^\d+$/.test(part)) ?? '';
  return path[0] === 'inputs' || plainName.test(name);
}
