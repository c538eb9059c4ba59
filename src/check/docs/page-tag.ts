import type { ScriptNode } from './page-script.ts';

/** A tag of HTML or JSX, wherever in the page it stands: in the text, in an expression, in raw HTML. */
export interface Tag {
  /** As it is written; empty for a fragment. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly line: number;
  /** Offsets of the whole element in the page's text; of raw HTML, of the opening tag only. */
  readonly start: number;
  readonly end: number;
}

export interface Attribute {
  /** Empty for a spread such as `{...props}`. */
  readonly name: string;
  /** Literal value, decoded; `undefined` for an expression and for an attribute without a value. */
  readonly value: string | undefined;
  /** Program or expression of `name={…}`. */
  readonly expression: ScriptNode | undefined;
  /** Offsets in the page's text. */
  readonly start: number;
  readonly end: number;
}

export function attributeOf(tag: Tag, name: string): Attribute | undefined {
  return tag.attributes.find((attribute) => attribute.name.toLowerCase() === name);
}
