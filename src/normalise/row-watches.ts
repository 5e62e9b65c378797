import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './find-header.js';
import type { RowWatch, WatchSource } from './row-watch.js';
import { watchDates } from './swapped-dates.js';
import { watchUniqueIds } from './unique-ids.js';
import { watchUrlIds } from './url-ids.js';
import { watchStatus } from './watch-status.js';

/** The questions about a drop of this header. */
export function rowWatches(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  return [
    ...watchStatus(header, operation, source),
    ...watchDates(header, operation),
    ...watchUniqueIds(header, operation),
    ...watchUrlIds(header, operation, source),
  ];
}
