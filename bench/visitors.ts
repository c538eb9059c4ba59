import { createServer } from 'node:http';
import { closeServer, listen } from '../sandbox/listen.ts';
import { bundleOf } from '../scripts/actions.ts';
import { runMeasured } from './measured-step.ts';
import { type Measurement, median, ratio } from './measurement.ts';

/** Each figure is the median of this many runs. */
const runs = 5;

/** Measures the visitors bundle in dist, against a local server. */
export async function measureVisitors(): Promise<readonly Measurement[]> {
  await using service = await startService();
  return [...(await measureRequests(service)), ...(await measureMemory(service))];
}

async function measureRequests(service: Service): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const rows of [0, 1, 250, 251, 25_000]) {
    const { requests } = await runAction(service, rows);
    const fewest = Math.max(1, Math.ceil(rows / 250));
    measurements.push([`Requests for ${rows} rows`, String(requests), String(fewest)]);
  }
  return measurements;
}

async function measureMemory(service: Service): Promise<Measurement[]> {
  const peakMb = async (rows: number) =>
    await medianOf(async () => (await runAction(service, rows)).peakMb);
  const few = await peakMb(1000);
  const measurements: Measurement[] = [];
  for (const [rows, limit] of [
    [25_000, '≤ 1.5 ×'],
    [250_000, ''],
  ] as const) {
    const many = await peakMb(rows);
    measurements.push([`Peak memory at ${rows} rows against 1000`, ratio(many, few, 'MB'), limit]);
  }
  return measurements;
}

async function runAction(service: Service, rows: number) {
  service.serve(rows);
  const { exitCode, outputs, stdout, peakMb } = await runMeasured({
    ...bundleOf('visitors'),
    inputs: {
      'api-key': 'mint_bench',
      'project-id': 'bench',
      'base-url': service.url,
      'max-requests': '10000',
    },
    context: {
      serverUrl: service.url,
      repository: 'acme/docs',
      actor: 'bench',
      eventName: 'schedule',
      token: '',
    },
  });
  if (exitCode !== 0 || outputs['page-count'] !== String(rows)) {
    throw new Error(`The export of ${rows} rows failed: ${stdout}`);
  }
  return { requests: service.requests(), peakMb };
}

interface Service extends AsyncDisposable {
  readonly url: string;
  /** Sets the number of rows, and resets the number of requests. */
  serve(rows: number): void;
  requests(): number;
}

/** A server that only sends rows. The sandbox has an hourly limit, and computes its figures. */
async function startService(): Promise<Service> {
  let total = 0;
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const query = new URL(request.url ?? '/', 'http://loopback').searchParams;
    const offset = Number(query.get('offset'));
    const length = Math.min(Number(query.get('limit')), total - offset);
    const visitors = Array.from({ length }, (_, index) => ({
      path: `/guides/section-${(offset + index) % 97}/page-${offset + index}`,
      human: 4000,
      ai: 1000,
      total: 4800,
    }));
    const totals = { human: 400_000, ai: 100_000, total: 480_000 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ totals, visitors, hasMore: offset + length < total }));
  });
  return {
    url: await listen(server, 0),
    serve(rows) {
      total = rows;
      count = 0;
    },
    requests: () => count,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    figures.push(await measure());
  }
  return median(figures);
}

if (import.meta.main) {
  for (const line of await measureVisitors()) {
    console.log(`| ${line.join(' | ')} |`);
  }
}
