import type { PreparedRow } from '../ledger/staging.js';
import { type PackedRows, recordsOf } from './packed-step.js';

/** More places than a transaction has rows; with the four bytes of a key's start a number still holds both. */
const PLACES = 2 ** 20;

/**
 * All rows of some steps, the records about in the order of their keys, so that inserting them goes through the index of
 * keys page by page instead of jumping about in it, which takes a fifth less. Records of one key stay in line order.
 */
export function* rowsByKey(steps: readonly PackedRows[]): Generator<PreparedRow> {
  for (const { others } of steps) yield* others;
  const places = steps
    .map(recordsOf)
    .flatMap((records) => Array.from({ length: records.count }, (_, index) => ({ records, index })));
  if (places.length > PLACES) throw new Error('more rows in a transaction than can be ordered');
  // Numbers, because those are sorted ten times as fast as texts.
  const order = Float64Array.from(
    places,
    ({ records, index }, place) => records.keyStart(index) * PLACES + place,
  ).sort();
  for (const number of order) {
    const found = places[number % PLACES];
    if (found) yield found.records.at(found.index);
  }
}
