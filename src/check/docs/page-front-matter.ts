import type { Nodes } from 'mdast';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { FrontMatterField, PageProblem } from './page.ts';
import { doubtfulEnd } from './page-front-matter-end.ts';

export interface FrontMatter {
  readonly fields: readonly FrontMatterField[];
  readonly problem: PageProblem | undefined;
}

const none: FrontMatter = { fields: [], problem: undefined };

/**
 * The fields of the YAML between the first two lines of `---`. What other parsers of YAML or of front
 * matter could read differently is a problem.
 *
 * @param text of the page, without a byte order mark
 */
export function frontMatterOf(nodes: readonly Nodes[], text: string): FrontMatter {
  const node = nodes.find(({ type }) => type === 'yaml');
  const yaml = node?.type === 'yaml' ? node.value : undefined;
  const { fields, problem } = yaml === undefined ? none : fieldsOf(yaml);
  return { fields, problem: problem ?? doubtfulEnd(text, yaml) };
}

/** The opening `---` is the line before the first one of the YAML. */
const linesAbove = 1;

function fieldsOf(yaml: string): FrontMatter {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: lines,
    uniqueKeys: true,
    // Its messages would name a line of the YAML, not of the page.
    prettyErrors: false,
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
  const unusual = unusualPlace(document);
  if (unusual !== undefined) {
    const line = lines.linePos(unusual).line + linesAbove;
    return problem('has front matter with an anchor, an alias, a tag or a merged mapping', line);
  }
  return {
    fields: contents.items.map((pair) => fieldOf(pair, document, lines)),
    problem: undefined,
  };
}

/** Where the first syntax stands that parsers of YAML disagree about; no page needs it. */
function unusualPlace(document: Document.Parsed): number | undefined {
  let place: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node) || node.anchor !== undefined || node.tag !== undefined) {
        place = node.range?.[0] ?? 0;
        return visit.BREAK;
      }
      return undefined;
    },
    Pair: (_key, { key }) => {
      if (!isScalar(key) || key.value === '<<') {
        place = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return place;
}

function fieldOf(
  { key, value }: { key: unknown; value: unknown },
  document: Document.Parsed,
  lines: LineCounter,
): FrontMatterField {
  const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const data: unknown = isNode(value) ? value.toJS(document) : null;
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
