import { createServer } from 'node:http';
import { closeServer, listen } from '../sandbox/listen.ts';
import { bundleOf } from '../scripts/actions.ts';
import { type Measurement, median, ratio, runMeasured } from './measurement.ts';

/** Each figure is the median of this many runs. */
const runs = 5;

/** Measures the memory of the visitors bundle in dist, against a server that only sends rows. */
export async function measureVisitors(): Promise<readonly Measurement[]> {
  const few = await peakMb(1000);
  const many = await peakMb(25_000);
  const limit = '≤ 1.5 ×';
  return [['Peak memory at 25000 rows against 1000', ratio(many, few, 'MB'), limit]];
}

async function peakMb(rows: number): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    figures.push(await exportRows(rows));
  }
  return median(figures);
}

async function exportRows(rows: number): Promise<number> {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://loopback').searchParams;
    const offset = Number(query.get('offset'));
    const length = Math.min(Number(query.get('limit')), rows - offset);
    const counts = { human: 4000, ai: 1000, total: 4800 };
    const visitors = Array.from({ length }, (_, index) => ({
      path: `/guides/section-${(offset + index) % 97}/page-${offset + index}`,
      ...counts,
    }));
    response.setHeader('content-type', 'application/json');
    const hasMore = offset + length < rows;
    response.end(JSON.stringify({ totals: counts, visitors, hasMore }));
  });
  const url = await listen(server, 0);
  try {
    const { exitCode, outputs, stdout, peakMb } = await runMeasured({
      ...bundleOf('visitors'),
      inputs: {
        'api-key': 'mint_bench',
        'project-id': 'bench',
        'base-url': url,
        'max-requests': '100',
      },
      context: {
        serverUrl: url,
        repository: 'acme/docs',
        actor: 'bench',
        eventName: 'schedule',
        token: '',
      },
    });
    if (exitCode !== 0 || outputs['page-count'] !== String(rows)) {
      throw new Error(`The export of ${rows} rows failed: ${stdout}`);
    }
    return peakMb;
  } finally {
    await closeServer(server);
  }
}
