import { DateTime } from 'luxon';
import { HttpError, type HttpResponse } from '../http.ts';
import type { Store } from './store.ts';
import { DAY_MS, type DayRange, type VisitorReport } from './visitors.ts';

/** The limit of analytics requests of an organisation in an hour. */
const REQUESTS_PER_HOUR = 100;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 250;

/** "Get unique visitors": 200 with one page of rows, 400, 429. Every request counts towards the limit. */
export type VisitorOperation = (request: {
  readonly organisation: string;
  readonly projectId: string;
  readonly query: URLSearchParams;
}) => HttpResponse;

export function visitorOperation(
  store: Store,
  visitors: (projectId: string, range: DayRange) => VisitorReport,
  now: () => number,
): VisitorOperation {
  return ({ organisation, projectId, query }) => {
    if (!store.use(`analytics of ${organisation}`, REQUESTS_PER_HOUR, now())) {
      throw new HttpError(
        429,
        `Rate limit exceeded: ${REQUESTS_PER_HOUR} requests per organization per hour`,
      );
    }
    const { range, limit, offset } = readQuery(query);
    const report = visitors(projectId, range);
    const end = offset + limit;
    return {
      status: 200,
      body: {
        totals: report.totals,
        visitors: report.visitors.slice(offset, end),
        hasMore: end < report.visitors.length,
      },
    };
  };
}

interface Query {
  readonly range: DayRange;
  readonly limit: number;
  readonly offset: number;
}

function readQuery(query: URLSearchParams): Query {
  const problems: string[] = [];
  const from = readDate(query.get('dateFrom'));
  const to = readDate(query.get('dateTo'));
  const limit = readWhole(query.get('limit') ?? `${DEFAULT_LIMIT}`, 1, MAX_LIMIT);
  const offset = readWhole(query.get('offset') ?? '0', 0, Number.MAX_SAFE_INTEGER);

  if (Number.isNaN(from)) problems.push('dateFrom must be an ISO 8601 or YYYY-MM-DD date');
  if (Number.isNaN(to)) problems.push('dateTo must be an ISO 8601 or YYYY-MM-DD date');
  if (Number.isNaN(limit)) problems.push(`limit must be an integer from 1 to ${MAX_LIMIT}`);
  if (Number.isNaN(offset)) problems.push('offset must be an integer of at least 0');
  if (problems.length > 0) {
    throw new HttpError(400, 'Invalid query parameters', problems);
  }
  return { range: { from: dayOf(from), to: dayOf(to) }, limit, offset };
}

/** Milliseconds since 1970; NaN for text that is not a date, undefined for no text. */
function readDate(text: string | null): number | undefined {
  if (text === null) {
    return undefined;
  }
  // The library takes a time alone for today's.
  const isDate = /^[+-]?\d{4}/.test(text);
  return isDate ? DateTime.fromISO(text, { zone: 'utc' }).toMillis() : Number.NaN;
}

/** The figures are per UTC day, so a time counts as its day. */
function dayOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.floor(ms / DAY_MS);
}

function readWhole(text: string, min: number, max: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : Number.NaN;
}
