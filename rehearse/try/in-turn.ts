import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml';

/** A workflow whose steps run one after the other. */
interface InTurn {
  /** The text to run; unchanged where no step runs at the same time as another one. */
  readonly text: string;
  /** The lines that older tools take for mistakes. */
  readonly lines: readonly number[];
}

/**
 * GitHub lets steps run at the same time, with `background`, `wait`, `wait-all`, `cancel` and `parallel`. act
 * 0.2.89 and actionlint 1.7.12 refuse these, so here the steps run in turn. A step that a later one cancels
 * would never end by itself, so it is skipped.
 */
export function runInTurn(text: string): InTurn {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lines: number[] = [];
  const note = (node: unknown) => {
    const [start] = (isScalar(node) || isMap(node) ? node.range : undefined) ?? [];
    if (start !== undefined) {
      lines.push(counter.linePos(start).line);
    }
  };
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'steps' && isSeq(value)) {
        const cancelled = value.items.map((step) => (isMap(step) ? step.get('cancel') : undefined));
        value.items = value.items.flatMap((step) => stepsInTurn(step, cancelled, note));
      }
    },
  });
  return { text: lines.length === 0 ? text : String(document), lines };
}

/** @param note is called with what older tools take for a mistake */
function stepsInTurn(
  step: unknown,
  cancelled: readonly unknown[],
  note: (node: unknown) => void,
): unknown[] {
  if (!isMap(step)) {
    return [step];
  }
  const together = step.get('parallel');
  if (isSeq(together)) {
    note(step);
    return together.items.flatMap((inner) => stepsInTurn(inner, cancelled, note));
  }
  if (['wait', 'wait-all', 'cancel'].some((key) => step.has(key))) {
    note(step);
    return [];
  }
  if (step.has('background')) {
    note(keyOf(step, 'background'));
    step.delete('background');
    if (step.has('id') && cancelled.includes(step.get('id'))) {
      step.set('if', false);
    }
  }
  return [step];
}

function keyOf(step: YAMLMap, name: string): unknown {
  return step.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
}
