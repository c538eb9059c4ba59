/** What stands at a path of the event's payload. */
export type EventField =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'nowhere' };

/** Reads a field of the payload. */
export function readEventField(payload: unknown, path: readonly string[]): EventField {
  let value = payload;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      return { kind: 'nowhere' };
    }
    value = Reflect.get(value, name);
  }
  return { kind: 'value', value };
}

/**
 * Fields of an event's payload that one may write without `event.` by mistake; whatever else the
 * payload at hand begins with counts, too.
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

/** Names of fields that GitHub shows as they are, and names that end so. */
const plainName =
  /^(?:title|name|login|ref|message|label|key|slug|email|.*_(?:title|name|ref|branch|url|sha|id))$/;

/**
 * Whether GitHub's pages show a field as plain text: titles, names, branches, the messages of
 * commits. The inputs of a workflow stand on no page, and whoever wrote them may start the workflow.
 * Every other text is taken for Markdown, in which something can be hidden: bodies, descriptions,
 * and whatever is not known here.
 */
export function isPlainField(path: readonly string[]): boolean {
  // In a list every text has the list's name; `changes.title.from` is what a title was.
  const name = path.findLast((part) => part !== 'from' && !/^\d+$/.test(part)) ?? '';
  return path[0] === 'inputs' || plainName.test(name);
}
