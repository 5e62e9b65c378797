import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '../domain/clock.js';
import { inWords } from '../domain/text/duration-words.js';
import { clip } from '../report/text/layout.js';
import { columnsOf } from './screen.js';

/** The bar of a drop that is being staged. */
export interface StagingBar {
  /** @param expected rows that the drop probably has; null where that isn't known. */
  show(rows: number, expected: number | null): void;
  /** Takes the bar off the screen. */
  hide(): void;
}

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

/** The fewest rows for which a bar of staging is drawn: fewer are staged before anybody could read it. */
const ROWS_WITHOUT_BAR = 20_000;

/** The width of the bar of delivery in characters: the text beside it matters more. */
const BAR_COLUMNS = 16;

/** The number of rows is not known before the last one, so the bar and the remaining time are estimates. */
export function createStagingBar(clock: Clock): StagingBar {
  const bar = barOf('  {bar} {rows} rows | {rate} rows/s | {left}', 24);
  let started: { readonly ms: number; readonly rows: number } | null = null;
  return {
    show: (rows, expected) => {
      started ??= { ms: clock.monotonicMs(), rows };
      if (rows < ROWS_WITHOUT_BAR) return;
      const perMs = (rows - started.rows) / Math.max(1, clock.monotonicMs() - started.ms);
      const total = Math.max(rows, expected ?? rows);
      bar.draw(total, rows, {
        rows: rows.toLocaleString('en'),
        rate: Math.round(perMs * 1000).toLocaleString('en'),
        left: perMs > 0 && total > rows ? `about ${inWords((total - rows) / perMs)} left` : 'nearly done',
      });
    },
    hide: () => {
      bar.hide();
      started = null;
    },
  };
}

/** A bar that is drawn once there is something to show. */
export function createDeliveryBar(clock: Clock): DeliveryBar {
  const bar = barOf('{bar} {line}', BAR_COLUMNS);
  const counts = { total: 0, done: 0, accepted: 0, refused: 0 };
  const startedMs = clock.monotonicMs();
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
      bar.draw(counts.total, counts.done, {
        line: progressLine({ ...counts, left: left(), rate, note }, room),
      });
    },
    hide: bar.hide,
  };
}

/** The text beside the bar, with as many words as fit: the note is dropped last, because people wait for it. */
export function progressLine(numbers: ProgressNumbers, columns: number): string {
  const { total, done, accepted, refused, left, rate, note } = numbers;
  const lines = [
    `${done} of ${total} done | accepted ${accepted} | refused ${refused} | left ${left} | ${rate}/min | ${note}`,
    `${done}/${total} | ${refused} refused | ${rate}/min | ${note}`,
    `${done}/${total} | ${note}`,
  ];
  return lines.find((line) => line.length <= columns) ?? clip(lines.at(-1) ?? '', columns - 1);
}

/** A bar on stderr. */
function barOf(format: string, barsize: number) {
  const bar = new SingleBar(
    { format, barsize, stream: process.stderr, hideCursor: true, clearOnComplete: true, forceRedraw: true },
    Presets.rect,
  );
  let isDrawn = false;
  return {
    draw(total: number, done: number, payload: object) {
      if (!isDrawn) bar.start(total, done, payload);
      isDrawn = true;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    hide() {
      if (isDrawn) bar.stop();
      isDrawn = false;
    },
  };
}
