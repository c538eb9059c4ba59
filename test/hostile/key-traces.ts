/** This many bytes of the key in a row are a leak, in any encoding. */
const windowLength = 6;

/**
 * Finds pieces of a key in a text: unchanged, in hex, base64 and base64url with or without padding,
 * percent-encoded, as character references, reversed, and all of these split across lines.
 *
 * @returns the names of the encodings that were found
 */
export function findKeyTraces(text: string, key: string): readonly string[] {
  const joined = text.replaceAll(/\s/g, '');
  const found = Object.entries(tracesOf(key)).filter(([, traces]) =>
    traces.some((trace) => text.includes(trace) || joined.includes(trace)),
  );
  return found.map(([encoding]) => encoding);
}

function tracesOf(key: string): Readonly<Record<string, readonly string[]>> {
  const windows = windowsOf(key);
  const backwards = windowsOf([...key].reverse().join(''));
  const map = (encode: (bytes: Buffer) => string) =>
    windows.map((window) => encode(Buffer.from(window)));
  const eachByte = (write: (byte: number) => string) =>
    map((bytes) => [...bytes].map(write).join(''));
  return {
    plain: windows,
    reversed: backwards,
    hex: map((bytes) => bytes.toString('hex')),
    'upper-case hex': map((bytes) => bytes.toString('hex').toUpperCase()),
    base64: base64Traces(key, 'base64'),
    base64url: base64Traces(key, 'base64url'),
    'reversed base64': base64Traces([...key].reverse().join(''), 'base64'),
    'percent-encoded': eachByte((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    'upper-case percent-encoded': eachByte(
      (byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`,
    ),
    'character references': eachByte((byte) => `&#${byte};`),
    'JSON escapes': eachByte((byte) => `\\u00${byte.toString(16).padStart(2, '0')}`),
    'byte list': eachByte((byte) => `${byte},`),
  };
}

function windowsOf(text: string): readonly string[] {
  const count = Math.max(1, text.length - windowLength + 1);
  return Array.from({ length: count }, (_, start) => text.slice(start, start + windowLength));
}

/** The base64 of each window at each of the three alignments, without the ambiguous ends. */
function base64Traces(text: string, encoding: 'base64' | 'base64url'): readonly string[] {
  return windowsOf(text).flatMap((window) =>
    [0, 1, 2].map((offset) => {
      const encoded = Buffer.from(`${'\0'.repeat(offset)}${window}`).toString(encoding);
      const firstWhole = Math.ceil((offset * 8) / 6);
      const lastWhole = Math.floor(((offset + window.length) * 8) / 6);
      return encoded.slice(firstWhole, lastWhole);
    }),
  );
}
