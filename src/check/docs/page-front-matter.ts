import type { Nodes } from 'mdast';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { FrontMatterField, PageProblem } from './page.ts';

export interface FrontMatter {
  readonly fields: readonly FrontMatterField[];
  readonly problem: PageProblem | undefined;
}

const none: FrontMatter = { fields: [], problem: undefined };
/** Front matter that people write has no alias at all; a bomb of them grows without end. */
const mostAliases = 10;

/** The fields of the YAML between the first two lines of `---`. */
export function frontMatterOf(nodes: readonly Nodes[]): FrontMatter {
  const node = nodes.find(({ type }) => type === 'yaml');
  return node?.type === 'yaml' ? fieldsOf(node.value) : none;
}

/** The opening `---` is the line before the first one of the YAML. */
const linesAbove = 1;

function fieldsOf(yaml: string): FrontMatter {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    uniqueKeys: true,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = lines.linePos(error.pos[0]).line + linesAbove;
    return problem(`has front matter that is not valid YAML: ${firstLine(error.message)}`, line);
  }
  const { contents } = document;
  if (contents === null) {
    return none;
  }
  if (!isMap(contents)) {
    return problem('has front matter that is no YAML mapping', 1 + linesAbove);
  }
  try {
    return {
      fields: contents.items.map((pair) => fieldOf(pair, document, lines)),
      problem: undefined,
    };
  } catch {
    return problem('has front matter with too many aliases', 1 + linesAbove);
  }
}

function fieldOf(
  { key, value }: { key: unknown; value: unknown },
  document: Document.Parsed,
  lines: LineCounter,
): FrontMatterField {
  const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const data: unknown = isNode(value) ? value.toJS(document, { maxAliasCount: mostAliases }) : null;
  return {
    name: String(isScalar(key) ? key.value : key),
    json: JSON.stringify(data) ?? 'null',
    line: lines.linePos(at).line + linesAbove,
  };
}

function problem(what: string, line: number): FrontMatter {
  return { fields: [], problem: { what, line } };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
