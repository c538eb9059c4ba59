import type { Options } from 'micromark';

export type Extension = NonNullable<Options['extensions']>[number];
type Constructs = NonNullable<NonNullable<Extension['text']>[string]>;
type Construct = Exclude<Constructs, readonly unknown[]>;
export type Tokenize = Construct['tokenize'];
export type State = ReturnType<Tokenize>;
export type Code = Parameters<State>[0];
export type Effects = Parameters<Tokenize>[0];

export const dollar = 36;

/** micromark has negative codes for line ends, tabs and the columns of a tab. */
export function isLineEnd(code: Code): boolean {
  return code !== null && code < -2;
}

export function isSpace(code: Code): boolean {
  return code === 32 || code === -1 || code === -2;
}

export function consumeLineEnd(effects: Effects, code: Code): void {
  effects.enter('lineEnding');
  effects.consume(code);
  effects.exit('lineEnding');
}
