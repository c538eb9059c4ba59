import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../scripts/actions.ts';
import { readManifest } from '../../../scripts/tables.ts';
import { createOutputWriter } from '../../../src/runner/runner.ts';
import type { End } from '../../../src/visitors/export.ts';
import { findingsOf } from '../../../src/visitors/findings.ts';
import { outputs, type Result, type State } from '../../../src/visitors/outputs.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import { visitorsInputs } from '../../helpers/visitors-inputs.ts';
import { page } from '../../helpers/visitors-pages.ts';

/** The outputs for a state, as `name=value`. */
function written(state: State): readonly string[] {
  const runner = fakeRunner();
  createOutputWriter(outputs, runner)(state);
  return runner.told;
}

const inputs = visitorsInputs({ period: 'last-month' });
const totals = { human: 900, ai: 0.5, total: 1000 };
const previousTotals = { human: 800, ai: 0, total: 850 };

function exported(end: End): Result {
  const pages = [page('/start')];
  return {
    result: 'exported',
    inputs,
    file: 'visitors.csv',
    done: {
      totals,
      pages,
      pageCount: 1,
      duplicates: 0,
      end,
      findings: findingsOf(pages, { size: 10, ratio: 1, docsPages: undefined }),
      before: undefined,
    },
  };
}

describe('the outputs', () => {
  it('are those that action.yml declares', () => {
    const declared = Object.keys(readManifest(bundleOf('visitors').actionFile).outputs);
    expect(Object.keys(outputs).sort()).toEqual(declared.toSorted());
  });

  it('are all written by a comparison with everything', () => {
    const result = exported({ kind: 'whole' });
    const state = { inputs, totals, previousTotals, end: { result, message: 'Exported.' } };
    expect(written(state)).toEqual([
      'human=900',
      'ai=0.5',
      'total=1000',
      'previous-human=800',
      'previous-ai=0',
      'previous-total=850',
      'page-count=1',
      'file=visitors.csv',
      'top-pages=[{"path":"/start","human":10,"ai":0,"total":10}]',
      'date-from=2026-01-01',
      'date-to=2026-02-01',
      'complete=true',
      'result=exported',
      'message=Exported.',
    ]);
  });

  it('are none before anything is known', () => {
    expect(written({})).toEqual([]);
  });

  it('have the dates and the totals before the end', () => {
    expect(written({ inputs, totals })).toEqual([
      'human=900',
      'ai=0.5',
      'total=1000',
      'date-from=2026-01-01',
      'date-to=2026-02-01',
    ]);
  });

  it('have no date for an open end of the period', () => {
    const open = visitorsInputs({ 'date-from': '2026-01-01' });
    expect(written({ inputs: open })).toEqual(['date-from=2026-01-01']);
  });

  it.each<[End, readonly string[]]>([
    [{ kind: 'whole' }, ['complete=true']],
    [{ kind: 'empty-batch' }, ['complete=false']],
    [{ kind: 'out-of-requests', nextOffset: 500 }, ['complete=false', 'next-offset=500']],
  ])('say whether there is more, and how to continue: $kind', (end, lines) => {
    const state = { inputs, end: { result: exported(end), message: '' } };
    expect(written(state).filter((line) => /^complete|^next/.test(line))).toEqual(lines);
  });

  it.each<[Result, readonly string[]]>([
    [
      { result: 'error', reason: 'forbidden', message: 'No.' },
      ['result=error', 'reason=forbidden', 'message=No.'],
    ],
    [
      { result: 'skipped', reason: 'no-secret', message: 'No.', isLoud: false },
      ['result=skipped', 'reason=no-secret', 'message=No.'],
    ],
    [{ result: 'cancelled' }, ['result=cancelled', 'message=No.']],
  ])('have a reason but no file if nothing was exported: $result', (result, lines) => {
    expect(written({ end: { result, message: 'No.' } })).toEqual(lines);
  });
});
