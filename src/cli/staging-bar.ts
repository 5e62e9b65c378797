import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '../domain/clock.js';
import { inWords } from '../domain/text/duration-words.js';

/** The bar of a drop that is being staged. */
export interface StagingBar {
  /** @param expected rows that the drop probably has; null where that isn't known. */
  show(rows: number, expected: number | null): void;
  /** Takes the bar off the screen. */
  hide(): void;
}

/** The fewest rows for which a bar is drawn: fewer are staged before anybody could read it. */
const ROWS_WITHOUT_BAR = 20_000;

/** The number of rows is not known before the last one, so the bar and the remaining time are estimates. */
export function createStagingBar(clock: Clock): StagingBar {
  const bar = new SingleBar(
    {
      format: '  {bar} {rows} rows | {rate} rows/s | {left}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      forceRedraw: true,
      barsize: 24,
    },
    Presets.rect,
  );
  let started: { readonly ms: number; readonly rows: number } | null = null;
  let isDrawn = false;
  return {
    show: (rows, expected) => {
      started ??= { ms: clock.monotonicMs(), rows };
      if (rows < ROWS_WITHOUT_BAR) return;
      const perMs = (rows - started.rows) / Math.max(1, clock.monotonicMs() - started.ms);
      const total = Math.max(rows, expected ?? rows);
      const payload = {
        rows: rows.toLocaleString('en'),
        rate: Math.round(perMs * 1000).toLocaleString('en'),
        left: perMs > 0 && total > rows ? `about ${inWords((total - rows) / perMs)} left` : 'nearly done',
      };
      if (!isDrawn) bar.start(total, rows, payload);
      isDrawn = true;
      bar.setTotal(total);
      bar.update(rows, payload);
    },
    hide: () => {
      if (isDrawn) bar.stop();
      isDrawn = false;
      started = null;
    },
  };
}
