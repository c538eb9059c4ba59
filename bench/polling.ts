import { adaptiveIntervalMs } from '../src/agent/job/interval.ts';
import { type Measurement, median, quantile } from './measurement.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** @returns The interval before the next poll. */
type Schedule = (waitedMs: number, polls: number) => number;

const schedules: readonly (readonly [name: string, schedule: Schedule])[] = [
  ['ours', (waitedMs) => adaptiveIntervalMs(waitedMs, Math.random())],
  ['every 5 s', () => 5 * secondMs],
  ['every 10 s', () => 10 * secondMs],
  ['every 30 s', () => 30 * secondMs],
  [
    'doubling from 5 s up to 60 s',
    (_waitedMs, polls) => Math.min(5 * secondMs * 2 ** polls, minuteMs),
  ],
];

/** The lengths of jobs from 20 s to 60 min, evenly spread on a logarithmic scale. */
const lengthsMs = Array.from({ length: 5000 }, (_, index) => 20 * secondMs * 180 ** (index / 4999));

/** Measures how late each schedule sees the end of a job, and how many requests it takes. */
export function measurePolling(): readonly Measurement[] {
  return schedules.map(([name, schedule]) => {
    const runs = lengthsMs.map((lengthMs) => simulate(lengthMs, schedule));
    const shares = runs.map(({ lateMs }, index) => lateMs / (lengthsMs[index] ?? 1));
    const worstMs = Math.max(...runs.map(({ lateMs }) => lateMs));
    const inFirstHour = simulate(hourMs, schedule).polls;
    const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
    return [
      `Polling, ${name}: delay relative to the job's length, median · 95th percentile · worst`,
      `${percent(median(shares))} · ${percent(quantile(shares, 0.95))} · ${percent(Math.max(...shares))}; at most ${(worstMs / secondMs).toFixed(0)} s; ${median(runs.map(({ polls }) => polls))} requests in the median, ${inFirstHour} in an hour`,
      name === 'ours' ? limitOf(runs) : '',
    ];
  });
}

/** The promise: 10% of the job's length, but 5 s for short jobs and 60 s at most; 95 requests in an hour. */
function limitOf(runs: readonly { readonly lateMs: number }[]): string {
  const isKept = runs.every(({ lateMs }, index) => {
    const lengthMs = lengthsMs[index] ?? 0;
    return lateMs <= Math.min(Math.max(lengthMs / 10, 5 * secondMs), minuteMs) + 1;
  });
  return `≤ 10% (5 s for short jobs), ≤ 60 s: ${isKept ? 'kept for every job' : 'broken'}; ≤ 95 an hour`;
}

function simulate(lengthMs: number, schedule: Schedule): { lateMs: number; polls: number } {
  let nowMs = 0;
  let polls = 0;
  while (nowMs < lengthMs) {
    nowMs += schedule(nowMs, polls);
    polls += 1;
  }
  return { lateMs: nowMs - lengthMs, polls };
}
