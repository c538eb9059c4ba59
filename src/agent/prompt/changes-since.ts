import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';

/** Where `{{changes}}` starts. */
export type ChangesSince =
  /** At what the event names: the commit before a push, or the release before a release. */
  | { readonly kind: 'event' }
  | { readonly kind: 'last-success' }
  /** At a commit, a tag or a branch. */
  | { readonly kind: 'named'; readonly name: string };

/** What git allows in no name, and what GitHub would read as another repository or a range. */
const notInNames = /[\s\p{Cc}~^:?*[\\]|\.\.|@\{|^[-/]|\/$/u;

/** Git itself has no limit, but GitHub's own for a name is far below. */
const maxNameLength = 255;

/**
 * Reads the input `changes-since`.
 * @throws ActionError
 */
export function readChangesSince(text: string): ChangesSince {
  if (text === '') {
    return { kind: 'event' };
  }
  if (text === 'last-success') {
    return { kind: 'last-success' };
  }
  if (text.length > maxNameLength || notInNames.test(text)) {
    throw inputError(
      'changes-since',
      `is ${quoted(text)}`,
      'it takes a commit, a tag, a branch or last-success',
    );
  }
  return { kind: 'named', name: text };
}
