import { posix } from 'node:path';
import { type JsonNode, type JsonObject, parseJson, textOf } from './json.ts';
import type { SiteProblem } from './site.ts';

/** The settings as one value, with every `$ref` replaced by what it includes. */
export interface Included {
  readonly node: JsonNode | undefined;
  /** Files that were read, the first one included. */
  readonly files: readonly string[];
  /** Files that `texts` does not say anything of. */
  readonly missing: readonly string[];
  readonly problems: readonly SiteProblem[];
}

/** Real sites nest two or three. */
const maxChain = 10;

/** A file may be included many times over, so that a few files could make billions of values. */
const maxValues = 500_000;

/**
 * Reads a JSON file with everything that it includes: `{"$ref": "./navigation.json"}` is relative to
 * the file in which it stands, and never leads out of `root`. Other keys beside `$ref` win over the
 * included ones. `texts` holds `undefined` for a file that does not exist.
 */
export function includeAll(
  file: string,
  root: string,
  texts: ReadonlyMap<string, string | undefined>,
): Included {
  return new Includer(root, texts).includeFile(file);
}

class Includer {
  private readonly root: string;
  private readonly texts: ReadonlyMap<string, string | undefined>;
  private readonly parsed = new Map<string, JsonNode | undefined>();
  private readonly missing = new Set<string>();
  private readonly problems: SiteProblem[] = [];
  private valuesLeft = maxValues;

  constructor(root: string, texts: ReadonlyMap<string, string | undefined>) {
    this.root = root;
    this.texts = texts;
  }

  includeFile(file: string): Included {
    const node = this.resolve(this.parse(file, undefined), [file]);
    const { problems, missing } = this;
    return { node, files: [...this.parsed.keys()], missing: [...missing], problems };
  }

  private resolve(node: JsonNode | undefined, chain: readonly string[]): JsonNode | undefined {
    if (node === undefined) return undefined;
    this.valuesLeft -= 1;
    if (this.valuesLeft === 0) this.problem(node, 'includes too much');
    if (this.valuesLeft <= 0) return undefined;
    if (node.type === 'array') {
      const items = node.items.map((item) => this.resolve(item, chain));
      return { ...node, items: items.filter((item) => item !== undefined) };
    }
    return node.type === 'object' ? this.resolveObject(node, chain) : node;
  }

  private resolveObject(node: JsonObject, chain: readonly string[]): JsonNode | undefined {
    const reference = textOf(node, '$ref');
    const included = reference === undefined ? undefined : this.follow(node, reference, chain);
    // As Mintlify does: what is no object replaces the keys beside `$ref` too.
    if (included !== undefined && included.type !== 'object') return included;
    const entries = new Map(included?.entries);
    for (const [key, value] of node.entries) {
      const resolved =
        reference !== undefined && key === '$ref' ? undefined : this.resolve(value, chain);
      if (resolved !== undefined) entries.set(key, resolved);
    }
    return included === undefined ? { ...node, entries } : { ...included, entries };
  }

  private follow(
    node: JsonObject,
    reference: string,
    chain: readonly string[],
  ): JsonNode | undefined {
    const name = JSON.stringify(reference);
    const file = posix.join(posix.dirname(node.file), reference);
    if (!isBelow(file, this.root))
      this.problem(node, `includes ${name}, which lies outside the docs`);
    else if (chain.includes(file)) this.problem(node, `includes ${name}, which includes this file`);
    else if (chain.length > maxChain)
      this.problem(node, `includes ${name} more than ${maxChain} files deep`);
    else return this.resolve(this.parse(file, { node, name }), [...chain, file]);
    return undefined;
  }

  private parse(
    file: string,
    from: { readonly node: JsonObject; readonly name: string } | undefined,
  ): JsonNode | undefined {
    if (this.parsed.has(file)) return this.parsed.get(file);
    const text = this.texts.get(file);
    if (text === undefined) {
      if (!this.texts.has(file)) this.missing.add(file);
      const [place, what] =
        from === undefined
          ? [{ file, line: 1 }, 'does not exist']
          : [from.node, `includes ${from.name}, which does not exist`];
      this.problem(place, what);
      return undefined;
    }
    const { node, problems } = parseJson(file, text);
    this.problems.push(...problems);
    this.parsed.set(file, node);
    return node;
  }

  private problem(
    { file, line }: { readonly file: string; readonly line: number },
    what: string,
  ): void {
    this.problems.push({ file, line, what });
  }
}

function isBelow(file: string, root: string): boolean {
  return root === ''
    ? !file.startsWith('../') && !file.startsWith('/')
    : file.startsWith(`${root}/`);
}
