import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './mapping/find-header.js';
import type { RowWatch, WatchSource } from './profile/row-watch.js';
import { watchDates } from './profile/swapped-dates.js';
import { watchUniqueIds } from './profile/unique-ids.js';
import { watchUrlIds } from './profile/url-ids.js';
import { watchProgress } from './status/beside/watch-progress.js';
import { watchStatus } from './status/watch-status.js';

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
