import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { type KeySettings, keyFacts } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';

/**
 * The settings of a source that its records' keys depend on: operation and environment, the zone and time of day of a bare date,
 * the default for a missing column, and the encoding of text that isn't Unicode. The order of dates and the mapping are not among
 * them: a wrong one makes a row invalid or plainly wrong, but a row that is read correctly has the same key under each.
 */
function keySettings(source: SourceConfig, pinned: KeySettings): KeySettings {
  const { operation, environment, timeZone, dateOnly, overlap, defaults } = source;
  const inOrder = Object.entries(defaults).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation,
    environment,
    timeZone: timeZone ?? '',
    dateOnly,
    // A time that occurs twice has a key only where the source says which is meant.
    overlap: overlap === 'reject' ? '' : overlap,
    encoding: encodingSetting(source, pinned.encoding ?? ''),
    defaults: JSON.stringify(Object.fromEntries(inOrder)),
  };
}

/**
 * The encoding for files that aren't Unicode; '': none. A Unicode file shows its encoding, so a declaration changes
 * none of its keys.
 */
function encodingSetting({ encoding }: SourceConfig, pinned: string): string {
  const name = encoding === undefined ? 'utf-8' : new TextDecoder(encoding).encoding;
  if (!name.startsWith('utf-')) return name;
  return pinned === FALLBACK ? pinned : '';
}

const FALLBACK = 'windows-1252';

/** Pins the encoding of a drop's text, where its source doesn't declare it, before any row of the drop has a key. */
export async function pinFallback(ledger: Ledger, source: SourceConfig, { text }: OpenedDrop): Promise<void> {
  if (!text?.fallback) return;
  const settings = { encoding: text.encoding };
  await pinReading(ledger, source.name, { settings, mappings: [] }, null);
}

/**
 * Throws OperatorError for a source whose changed settings would give new keys to known rows, which would then be
 * delivered again; unless `confirmedBy` has confirmed the change. The first call for a source pins its settings.
 */
export async function requireKnownSettings(
  ledger: Ledger,
  source: SourceConfig,
  confirmedBy: Decider | null,
): Promise<void> {
  const { settings, isPinned, isChanged, inQuestion } = await settingsNow(ledger, source);
  if (confirmedBy === null && inQuestion !== null) throw inQuestion;
  if (isPinned) return;
  const confirmation = { who: confirmedBy ?? NO_CONFIRMATION_NEEDED, because: null };
  await pinReading(ledger, source.name, { settings, mappings: [] }, isChanged ? confirmation : null);
}

/** Why a source can't be staged until a change of its key settings is confirmed; null: it can be staged. Writes nothing. */
export async function settingsInQuestion(
  ledger: Ledger,
  source: SourceConfig,
): Promise<OperatorError | null> {
  return (await settingsNow(ledger, source)).inQuestion;
}

const NO_CONFIRMATION_NEEDED: Decider = { name: 'not needed: no row had a key yet', door: 'inbox' };

/** The present key settings. `isChanged`: a pinned one is another now; `inQuestion`: as `settingsInQuestion` returns it. */
async function settingsNow(ledger: Ledger, source: SourceConfig) {
  const { settings: pinned, rows } = await keyFacts(ledger, source.name);
  const settings = keySettings(source, pinned);
  const differing = Object.entries(settings).filter(([name, is]) => (pinned[name] ?? '') !== is);
  const changes = differing.flatMap(([name, is]) =>
    pinned[name] ? `${name} was "${pinned[name]}" and is "${is}"` : [],
  );
  const isChanged = changes.length > 0;
  const message = `source ${source.name}: ${changes.join(', ')}. The keys of its rows depend on that: of ${countOf(rows, 'row')} staged so far, those that are exported again would count as new, and be delivered again`;
  const hint = `Restore the setting, or confirm it once with: registrar run --confirm ${source.name}`;
  const inQuestion = isChanged && rows > 0 ? errorsOf('import a source')(source.name, message, hint) : null;
  return { settings, isPinned: differing.length === 0, isChanged, inQuestion };
}
