import { isoFromMs, msFromIso } from '../clock.js';

/** Counted by result; the counts add up to `sent`. */
export interface SentCounts {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly throttled: number;
  readonly failed: number;
  readonly open: number;
}

export interface Bucket extends SentCounts {
  /** ISO time of its beginning. */
  readonly from: string;
}

/** In stretches of one length, those without a request among them. */
export interface Timeline {
  readonly bucketMs: number;
  readonly buckets: readonly Bucket[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A run of three minutes appears in five-second stretches, not in three bars. */
const BUCKETS_MS = [
  ...[1, 5, 15].map((seconds) => seconds * SECOND),
  ...[1, 5, 15].map((minutes) => minutes * MINUTE),
  ...[1, 6].map((hours) => hours * HOUR),
  ...[1, 7, 28, 364].map((days) => days * DAY),
];

/** Two hours of minutes, ten days of six-hour stretches: what a screen shows with a bar still to be seen. */
export const MAX_BUCKETS = 120;

/** Stretches begin where UTC counts them, so that a change of a local clock makes none longer. */
export function bucketMsFor(firstMs: number, lastMs: number): number {
  const fits = (bucketMs: number) =>
    Math.floor(lastMs / bucketMs) - Math.floor(firstMs / bucketMs) < MAX_BUCKETS;
  const fitting = BUCKETS_MS.find(fits);
  if (fitting !== undefined) return fitting;
  return 364 * DAY * Math.ceil((lastMs - firstMs) / (364 * DAY * (MAX_BUCKETS - 2)));
}

/** The precision of times that is needed to put each into its stretch. */
export function precisionFor(first: string, last: string): 'second' | 'minute' | 'hour' | 'day' {
  const bucketMs = bucketMsFor(msFromIso(first), msFromIso(last));
  if (bucketMs < MINUTE) return 'second';
  if (bucketMs < HOUR) return 'minute';
  return bucketMs < DAY ? 'hour' : 'day';
}

/** Times outside `first` and `last` are a bug. */
export function timelineOf(
  counts: Iterable<SentCounts & { readonly at: string }>,
  first: string,
  last: string,
): Timeline {
  const bucketMs = bucketMsFor(msFromIso(first), msFromIso(last));
  const begin = Math.floor(msFromIso(first) / bucketMs);
  const length = Math.floor(msFromIso(last) / bucketMs) - begin + 1;
  const buckets = Array.from({ length }, (_, index) => ({
    ...NO_REQUESTS,
    from: isoFromMs((begin + index) * bucketMs),
  }));
  for (const { at, ...count } of counts) {
    const bucket = buckets[Math.floor(msFromIso(at) / bucketMs) - begin];
    if (!bucket) throw new Error(`the timeline from ${first} to ${last} has no place for ${at}`);
    for (const name of COUNTED) bucket[name] += count[name];
  }
  return { bucketMs, buckets };
}

const COUNTED = ['sent', 'accepted', 'refused', 'throttled', 'failed', 'open'] as const;

export const NO_REQUESTS: SentCounts = { sent: 0, accepted: 0, refused: 0, throttled: 0, failed: 0, open: 0 };
