import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './header/find-header.js';
import { watchUniqueIds } from './mapping/unique-ids.js';
import { watchUrlIds } from './mapping/url-ids.js';
import type { RowWatch, WatchSource } from './row-watch.js';
import { watchProgress } from './status/beside/watch-progress.js';
import { watchStatus } from './status/watch-status.js';
import { watchDates } from './time/swapped-dates.js';

/** The questions about a drop of this header. */
export function rowWatches(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  return [
    ...watchStatus(header, operation, source),
    ...watchProgress(header, operation, source),
    ...watchDates(header, operation),
    ...watchUniqueIds(header, operation),
    ...watchUrlIds(header, operation, source),
  ];
}
