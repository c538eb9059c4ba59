import { adaptiveIntervalMs } from '../src/agent/job/poll.ts';
import { type Measurement, median, quantile } from './measurement.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pause before the next look. */
type Schedule = (waitedMs: number, looks: number) => number;

const schedules: readonly (readonly [name: string, schedule: Schedule])[] = [
  ['ours', (waitedMs) => adaptiveIntervalMs(waitedMs, Math.random())],
  ['every 5 s', () => 5 * secondMs],
  ['every 10 s', () => 10 * secondMs],
  ['every 30 s', () => 30 * secondMs],
  [
    'doubling from 5 s up to 60 s',
    (_waitedMs, looks) => Math.min(5 * secondMs * 2 ** looks, minuteMs),
  ],
];

/** Jobs from 20 s to 60 min, as many short ones as long ones on a logarithmic scale. */
const lengthsMs = Array.from({ length: 5000 }, (_, index) => 20 * secondMs * 180 ** (index / 4999));

/** How late the end of a job is seen, and for how many requests. */
export function measurePolling(): readonly Measurement[] {
  return schedules.map(([name, schedule]) => {
    const lives = lengthsMs.map((lengthMs) => watch(lengthMs, schedule));
    const shares = lives.map(({ lateMs }, index) => lateMs / (lengthsMs[index] ?? 1));
    const worstMs = Math.max(...lives.map(({ lateMs }) => lateMs));
    const inFirstHour = watch(hourMs, schedule).looks;
    const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
    return [
      `Polling, ${name}: lateness relative to the job's length, median · 95th · worst`,
      `${percent(median(shares))} · ${percent(quantile(shares, 0.95))} · ${percent(Math.max(...shares))}; at most ${(worstMs / secondMs).toFixed(0)} s; ${median(lives.map(({ looks }) => looks))} requests in the median, ${inFirstHour} in an hour`,
      name === 'ours' ? barOf(lives) : '',
    ];
  });
}

/** The promise: 10% of the length, 5 s for the short, 60 s at most; 95 requests in an hour. */
function barOf(lives: readonly { readonly lateMs: number }[]): string {
  const kept = lives.every(({ lateMs }, index) => {
    const lengthMs = lengthsMs[index] ?? 0;
    return lateMs <= Math.min(Math.max(lengthMs / 10, 5 * secondMs), minuteMs) + 1;
  });
  return `≤ 10% (5 s for the short), ≤ 60 s: ${kept ? 'kept by every one' : 'broken'}; ≤ 95 an hour`;
}

function watch(lengthMs: number, schedule: Schedule): { lateMs: number; looks: number } {
  let nowMs = 0;
  let looks = 0;
  while (nowMs < lengthMs) {
    nowMs += schedule(nowMs, looks);
    looks += 1;
  }
  return { lateMs: nowMs - lengthMs, looks };
}
