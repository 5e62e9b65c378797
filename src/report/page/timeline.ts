import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Bucket, SentCounts, Timeline } from '../../domain/environment/timeline.js';
import { TIME_UNITS } from '../../domain/text/duration-words.js';
import { time } from '../sections/section.js';
import { counted, numberText } from '../text/counted.js';
import { terms } from '../words/terms.js';
import { type Html, html } from './html.js';
import { tableHtml } from './section-html.js';
import { timeText } from './words.js';

type Lane = ReturnType<typeof lanesOf>[number];

/** The lanes; those of rare answers only where there are any. */
function lanesOf(buckets: readonly Bucket[]) {
  const lanes = Object.entries(terms().lanes) as [
    keyof SentCounts,
    readonly [string, string, string, boolean],
  ][];
  return lanes
    .filter(([count, [, , , always]]) => always || totalOf(buckets, count) > 0)
    .map(([count, [tone, name, meaning]]) => ({ count, name, meaning, tone }));
}

export function timeline({ bucketMs, buckets }: Timeline): Html {
  const tallest = Math.max(1, ...buckets.map(({ sent }) => sent));
  const lanes = lanesOf(buckets);
  const interval = intervalText(bucketMs);
  return html`<figure class="timeline">
<figcaption>Requests per ${interval} by when they left, ${timeText(buckets[0]?.from ?? '', true)} to ${timeText(
    isoFromMs(msFromIso(buckets.at(-1)?.from ?? '') + bucketMs),
    true,
  )}. The tallest bar is ${counted(tallest, 'request')}; all lanes have one scale.</figcaption>
${lanes.map((lane) => drawLane(lane, buckets, tallest, interval))}
${axis(buckets, bucketMs)}
</figure>
<details><summary>The same as a table</summary>
${table(lanes, buckets, interval)}
</details>`;
}

function drawLane(
  { count, name, meaning, tone }: Lane,
  buckets: readonly Bucket[],
  tallest: number,
  interval: string,
): Html {
  const total = totalOf(buckets, count);
  const highest = Math.max(...buckets.map((bucket) => bucket[count]));
  const bars = buckets
    .map((bucket, index) => {
      // One request among thousands must still be visible.
      const height = bucket[count] === 0 ? 0 : Math.max((bucket[count] / tallest) * 100, 6);
      return height === 0 ? '' : `M${index + 0.08} 100v${-round(height)}h.84v${round(height)}z`;
    })
    .join('');
  const label = `${name}: ${counted(total, 'request')}, at most ${numberText(highest)} per ${interval}`;
  return html`<div class="lane"><p class="name"><b>${name}</b><small>${meaning}</small></p>
<svg class="${tone}" viewBox="0 0 ${buckets.length} 100" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${bars}"/></svg>
<p class="count"><data value="${total}" data-figure="timeline.${count}">${numberText(total)}</data></p></div>`;
}

function axis(buckets: readonly Bucket[], bucketMs: number): Html {
  const slots = buckets.length;
  const begin = msFromIso(buckets[0]?.from ?? '');
  const label = (slot: number) => timeText(isoFromMs(begin + slot * bucketMs), true);
  return html`<p class="axis" aria-hidden="true"><span>${label(0)}</span><span>${label(Math.floor(slots / 2))}</span><span>${label(slots)}</span></p>`;
}

/** The numbers as a table, without stretches in which no request left. */
function table(lanes: readonly Lane[], buckets: readonly Bucket[], interval: string): Html {
  const rows = buckets
    .filter(({ sent }) => sent > 0)
    .map((bucket) => ({ cells: [time(bucket.from), ...lanes.map(({ count }) => bucket[count])] }));
  const counts = lanes.map(({ name }) => ({ title: name, isNumber: true }));
  const caption = `Requests per ${interval}, by when they left`;
  return tableHtml({ caption, columns: [{ title: 'From' }, ...counts], rows }, []);
}

/** "minute", "15 minutes", "6 hours". */
function intervalText(bucketMs: number): string {
  const [unitMs, unit] = TIME_UNITS.find(([ms]) => bucketMs % ms === 0) ?? [1, 'millisecond'];
  return bucketMs === unitMs ? unit : counted(bucketMs / unitMs, unit);
}

function totalOf(buckets: readonly Bucket[], count: keyof SentCounts): number {
  return buckets.reduce((total, bucket) => total + bucket[count], 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
