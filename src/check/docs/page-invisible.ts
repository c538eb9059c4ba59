/** Letters of ASCII that no font shows; in the flags of some regions they are ordinary. */
const tags = /[\u{E0000}-\u{E007F}]/u;
const flags = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{3,6}\u{E007F}/gu;
/** Variants of a character; after anything but one, two hundred of them can spell any text. */
const variants =
  /(?<!\p{Script=Han})[\u{E0100}-\u{E01EF}]|[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{2}/u;
/** They turn the order of what follows. */
const overrides = /[\u202A-\u202E\u2066-\u2069]/u;
/** One of them is a slip in pasted text. Many together are a message. */
const runs =
  /(?:[\u00AD\u115F\u1160\u180E\u200B-\u200F\u2060-\u206F\u3164\uFEFF\uFFA0]|\u034F){3}/u;

/** Whether a line has text that people cannot see, or see in another order. */
export function hasInvisibleText(line: string): boolean {
  const plain = line.replace(flags, '');
  return [tags, variants, overrides, runs].some((pattern) => pattern.test(plain));
}
