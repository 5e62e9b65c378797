import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '../domain/clock.js';
import { clip } from '../report/text/layout.js';
import { columnsOf } from './screen.js';

/** The bar of rows that are being delivered. */
export interface DeliveryBar {
  /** Adds rows that are to be delivered. */
  expect(rows: number): void;
  /** Counts a row by its answer. */
  count(answered: 'accepted' | 'refused' | 'otherwise'): void;
  /** How many rows are still to be delivered. */
  left(): number;
  /** @param note how long delivery still takes, or why it pauses. */
  draw(note: string): void;
  /** Takes the bar off the screen. */
  hide(): void;
}

/** The numbers beside the bar. */
export interface ProgressNumbers {
  readonly total: number;
  readonly done: number;
  readonly accepted: number;
  readonly refused: number;
  readonly left: number;
  /** Rows a minute. */
  readonly rate: number;
  /** How long delivery still takes, or why it pauses. */
  readonly note: string;
}

/** The width of the bar in characters. */
const BAR_COLUMNS = 16;

/** A bar on stderr, which is drawn once there is something to show. */
export function createDeliveryBar(clock: Clock): DeliveryBar {
  const bar = new SingleBar(
    {
      format: '{bar} {line}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      forceRedraw: true,
      // The text matters more than the bar.
      barsize: BAR_COLUMNS,
    },
    Presets.rect,
  );
  const counts = { total: 0, done: 0, accepted: 0, refused: 0 };
  const startedMs = clock.monotonicMs();
  let isDrawn = false;
  const left = () => Math.max(0, counts.total - counts.done);
  return {
    expect: (rows) => {
      counts.total += rows;
    },
    count: (answered) => {
      counts.done += 1;
      if (answered !== 'otherwise') counts[answered] += 1;
    },
    left,
    draw: (note) => {
      const minutes = (clock.monotonicMs() - startedMs) / 60_000;
      const rate = minutes > 0 ? Math.round(counts.done / minutes) : 0;
      const room = columnsOf(process.stderr) - BAR_COLUMNS - 2;
      const payload = { line: progressLine({ ...counts, left: left(), rate, note }, room) };
      if (!isDrawn) bar.start(counts.total, counts.done, payload);
      isDrawn = true;
      bar.setTotal(counts.total);
      bar.update(counts.done, payload);
    },
    hide: () => {
      if (isDrawn) bar.stop();
      isDrawn = false;
    },
  };
}

/** The text beside the bar, with as many words as fit: the note is dropped last, because people wait for it. */
export function progressLine(numbers: ProgressNumbers, columns: number): string {
  const { total, done, accepted, refused, left, rate, note } = numbers;
  const lines = [
    `${done} of ${total} done | accepted ${accepted} | refused ${refused} | left ${left} | ${rate}/min | ${note}`,
    `${done}/${total} | ${accepted} accepted | ${refused} refused | ${rate}/min | ${note}`,
    `${done}/${total} | ${refused} refused | ${rate}/min | ${note}`,
    `${done}/${total} | ${refused} refused | ${note}`,
    `${done}/${total} | ${note}`,
  ];
  return lines.find((line) => line.length <= columns) ?? clip(lines.at(-1) ?? '', columns - 1);
}
