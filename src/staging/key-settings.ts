import type { SourceConfig } from '../config/schema.js';
import { countOf } from '../domain/count-of.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import {
  type ChangedSetting,
  changedSettings,
  confirmSettings,
  countKeyed,
  type KeySettings,
  pinnedSetting,
  pinSetting,
  readChangedSettings,
} from '../ledger/pinned-settings.js';
import type { Ledger } from '../ledger/query.js';

/**
 * The settings of a source that its records' keys depend on: where they go, what zone and time of day a bare date
 * means, what stands in for a missing column, and in which encoding text is read that isn't Unicode. The order of dates and the mapping are not among them: they can make
 * a row unreadable or plainly wrong, but a right row has the same key under each.
 */
function keySettings(source: SourceConfig, pinnedEncoding: string): KeySettings {
  const { operation, environment, timeZone, dateOnly, overlap, defaults } = source;
  const inOrder = Object.entries(defaults).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation,
    environment,
    timeZone: timeZone ?? '',
    dateOnly,
    // A time that happened twice has a key only where the source says which.
    overlap: overlap === 'reject' ? '' : overlap,
    encoding: encodingSetting(source, pinnedEncoding),
    defaults: JSON.stringify(Object.fromEntries(inOrder)),
  };
}

/** Files in Unicode say it themselves: what their source declares changes no key. Else it is what they fall back to. */
function encodingSetting({ encoding }: SourceConfig, pinned: string): string {
  const name = encoding === undefined ? 'utf-8' : new TextDecoder(encoding).encoding;
  if (!name.startsWith('utf-')) return name;
  return pinned === FALLBACK ? pinned : '';
}

const FALLBACK = 'windows-1252';

/** Pins what a drop's text is read in where its source doesn't say it, before any row of it has a key. */
export function pinFallback(ledger: Ledger, source: SourceConfig, { text }: OpenedDrop): void {
  if (text?.fallback) pinSetting(ledger, source.name, 'encoding', text.encoding);
}

/**
 * Refuses to stage a source whose settings would give rows that were delivered before other keys, so that they would
 * be delivered again; unless `confirmedBy` names who confirmed the change.
 */
export function requireKnownSettings(
  ledger: Ledger,
  source: SourceConfig,
  confirmedBy: Decider | null,
  because: string | null = null,
): void {
  const settings = settingsNow(ledger, source);
  if (changedSettings(ledger, source.name, settings).length === 0) return;
  const inQuestion = confirmedBy === null ? settingsInQuestion(ledger, source) : null;
  if (inQuestion !== null) throw inQuestion;
  confirmSettings(ledger, source.name, settings, confirmedBy ?? NOBODY, because);
}

/** What of a source's settings is not what its rows got their keys under, and how many rows those are. Writes nothing. */
export function settingsChanged(
  ledger: Ledger,
  source: SourceConfig,
): { readonly changed: readonly ChangedSetting[]; readonly rows: number } {
  const changed = readChangedSettings(ledger, source.name, settingsNow(ledger, source));
  return { changed, rows: changed.length === 0 ? 0 : countKeyed(ledger, source.name) };
}

/** Why a source can't be staged until its changed settings are confirmed; null: nothing keeps it. Writes nothing. */
export function settingsInQuestion(ledger: Ledger, source: SourceConfig): OperatorError | null {
  const { changed, rows: count } = settingsChanged(ledger, source);
  if (count === 0) return null;
  const changes = changed.map(({ name, was, is }) => `${name} was "${was}" and is "${is}"`).join(', ');
  return new OperatorError({
    operation: 'take in a source',
    subject: source.name,
    message: `source ${source.name}: ${changes}. Its keys depend on that: of ${countOf(count, 'row')} staged so far, those that are exported again would be new, and be delivered again`,
    hint: `Put the setting back, or confirm it once with: registrar run --confirm ${source.name}`,
  });
}

const NOBODY: Decider = { name: 'nobody: no row had a key yet', door: 'inbox' };

function settingsNow(ledger: Ledger, source: SourceConfig): KeySettings {
  return keySettings(source, pinnedSetting(ledger, source.name, 'encoding'));
}
