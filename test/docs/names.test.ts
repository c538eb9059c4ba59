import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRepository } from '../../scripts/actions.ts';

/** Words that names in `src` should not have, each with what to say instead. */
const instead = new Map(
  Object.entries({
    card: 'comment or summary',
    exchange: 'request and response',
    look: 'poll or read',
    looked: 'read',
    most: 'max, for a limit',
    narrator: 'observer',
    patience: 'deadline',
    pause: 'delay or interval',
    subject: 'what it is, such as thread',
    subjects: 'what they are, such as users',
    tell: 'write or say',
    telling: 'message',
    told: 'what it was said to or of',
    watcher: 'observer',
    whoever: 'who it is',
    world: 'dependencies',
  }),
);

/** Names that say what GitHub, Mintlify, a library or a commit says. */
const allowed = new Set(['Card', 'CardGroup', 'card', 'subject', 'mostReadFirst', 'most']);

const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    text
      .replace(comments, '')
      .replace(strings, "''")
      .match(/\b[A-Za-z_]\w*/g),
  );
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

it('names use the words of a maintainer', () => {
  const wrong = globSync('src/**/*.ts', { cwd: inRepository('.') }).flatMap((path) =>
    [...namesIn(readFileSync(inRepository(path), 'utf8'))]
      .filter((name) => !allowed.has(name))
      .flatMap((name) => {
        const found = wordsOf(name).find((word) => instead.has(word));
        return found === undefined ? [] : [`${path}: ${name}: say ${instead.get(found)}`];
      }),
  );
  expect(wrong).toEqual([]);
});
