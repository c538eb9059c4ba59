import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';

/** Where `{{changes}}` starts. */
export type ChangesSince =
  /** The event gives the start: the commit before the push, or the release before this one. */
  | { readonly kind: 'event' }
  | { readonly kind: 'last-success' }
  /** The input names a commit, a tag or a branch. */
  | { readonly kind: 'named'; readonly name: string };

/** Matches what no git name may contain, and what GitHub would read as another repository or as a range. */
const notInNames = /[\s\p{Cc}~^:?*[\\]|\.\.|@\{|^[-/]|\/$/u;

/** Git has no limit for names, but GitHub does not accept names that are nearly as long as this. */
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
