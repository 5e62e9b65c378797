import type { SourceConfig } from '../config/schema.js';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { changedSettings, confirmSettings, countKeyed, type KeySettings } from '../ledger/pinned-settings.js';
import type { Ledger } from '../ledger/query.js';

/**
 * The settings of a source that its records' keys depend on: where they go, what zone and time of day a bare date
 * means, and what stands in for a missing column. The order of dates and the mapping are not among them: they can make
 * a row unreadable or plainly wrong, but a right row has the same key under each.
 */
function keySettings(source: SourceConfig): KeySettings {
  const { operation, environment, timeZone, dateOnly, overlap, defaults } = source;
  const inOrder = Object.entries(defaults).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation,
    environment,
    timeZone: timeZone ?? '',
    dateOnly,
    // A time that happened twice has a key only where the source says which.
    overlap: overlap === 'reject' ? '' : overlap,
    defaults: JSON.stringify(Object.fromEntries(inOrder)),
  };
}

/**
 * Refuses to stage a source whose settings would give rows that were delivered before other keys, so that they would
 * be delivered again; unless `confirmedBy` names who confirmed the change.
 */
export function requireKnownSettings(ledger: Ledger, source: SourceConfig, confirmedBy: string | null): void {
  const settings = keySettings(source);
  const changed = changedSettings(ledger, source.name, settings);
  if (changed.length === 0) return;
  const count = countKeyed(ledger, source.name);
  if (confirmedBy !== null || count === 0) {
    confirmSettings(ledger, source.name, settings, confirmedBy ?? 'nobody: no row had a key yet');
    return;
  }
  const changes = changed.map(({ name, was, is }) => `${name} was "${was}" and is "${is}"`).join(', ');
  throw new OperatorError({
    operation: 'take in a source',
    subject: source.name,
    message: `source ${source.name}: ${changes}. Its keys depend on that: of ${countOf(count, 'row')} staged so far, those that are exported again would be new, and be delivered again`,
    hint: `Put the setting back, or confirm it once with: registrar run --confirm ${source.name}`,
  });
}
