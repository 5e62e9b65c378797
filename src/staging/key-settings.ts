import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { type KeySettings, sourceFacts } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';

/** A setting that is not what it was when the source's rows got their keys. */
interface ChangedSetting {
  readonly name: string;
  readonly was: string;
  readonly is: string;
}

/**
 * The settings of a source that its records' keys depend on: where they go, what zone and time of day a bare date means,
 * what stands in for a missing column, and in which encoding text is read that isn't Unicode. The order of dates and the
 * mapping are not among them: a wrong one makes a row unreadable or plainly wrong, but a row that is read rightly has the
 * same key under each.
 */
function keySettings(source: SourceConfig, pinned: KeySettings): KeySettings {
  const { operation, environment, timeZone, dateOnly, overlap, defaults } = source;
  const inOrder = Object.entries(defaults).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation,
    environment,
    timeZone: timeZone ?? '',
    dateOnly,
    // A time that happened twice has a key only where the source says which.
    overlap: overlap === 'reject' ? '' : overlap,
    encoding: encodingSetting(source, pinned.encoding ?? ''),
    defaults: JSON.stringify(Object.fromEntries(inOrder)),
  };
}

/**
 * The encoding that stands in for files that aren't Unicode: Unicode files show their encoding, so for them no declaration
 * changes a key.
 */
function encodingSetting({ encoding }: SourceConfig, pinned: string): string {
  const name = encoding === undefined ? 'utf-8' : new TextDecoder(encoding).encoding;
  if (!name.startsWith('utf-')) return name;
  return pinned === FALLBACK ? pinned : '';
}

const FALLBACK = 'windows-1252';

/**
 * Pins the encoding in which a drop's text is read, where its source doesn't say it, before any row of the drop has a key.
 */
export async function pinFallback(ledger: Ledger, source: SourceConfig, { text }: OpenedDrop): Promise<void> {
  if (!text?.fallback) return;
  const settings = { encoding: text.encoding };
  await pinReading(ledger, source.name, { settings, mappings: [] }, null);
}

/**
 * Refuses to stage a source whose changed settings would give other keys to rows that were delivered before, so that these
 * would be delivered again; unless `confirmedBy` names who confirmed the change. The first call for a source pins its
 * settings as they are.
 */
export async function requireKnownSettings(
  ledger: Ledger,
  source: SourceConfig,
  confirmedBy: Decider | null,
  because: string | null = null,
): Promise<void> {
  const { settings, changed, rows, isPinned } = await settingsNow(ledger, source);
  if (changed.length > 0) {
    if (confirmedBy === null && rows > 0) throw inQuestion(source, changed, rows);
    const confirmation = { who: confirmedBy ?? NOBODY, because };
    await pinReading(ledger, source.name, { settings, mappings: [] }, confirmation);
  } else if (!isPinned) await pinReading(ledger, source.name, { settings, mappings: [] }, null);
}

/**
 * Why a source can't be staged until it is confirmed that its settings aren't those under which its rows got their keys; null where
 * it can be. Writes nothing.
 */
export async function settingsInQuestion(
  ledger: Ledger,
  source: SourceConfig,
): Promise<OperatorError | null> {
  const { changed, rows } = await settingsNow(ledger, source);
  return changed.length === 0 || rows === 0 ? null : inQuestion(source, changed, rows);
}

function inQuestion(source: SourceConfig, changed: readonly ChangedSetting[], rows: number): OperatorError {
  const changes = changed.map(({ name, was, is }) => `${name} was "${was}" and is "${is}"`).join(', ');
  return new OperatorError({
    operation: 'take in a source',
    subject: source.name,
    message: `source ${source.name}: ${changes}. Its keys depend on that: of ${countOf(rows, 'row')} staged so far, those that are exported again would be new, and be delivered again`,
    hint: `Put the setting back, or confirm it once with: registrar run --confirm ${source.name}`,
  });
}

const NOBODY: Decider = { name: 'nobody: no row had a key yet', door: 'inbox' };

async function settingsNow(
  ledger: Ledger,
  source: SourceConfig,
): Promise<{
  readonly settings: KeySettings;
  readonly changed: readonly ChangedSetting[];
  readonly rows: number;
  /** False where a setting has a value that has never been pinned. */
  readonly isPinned: boolean;
}> {
  const { settings: pinned, rows } = await sourceFacts(ledger, source.name, source.operation);
  const settings = keySettings(source, pinned);
  const differing = Object.entries(settings).flatMap(([name, is]) => {
    const was = pinned[name] ?? '';
    return was === is ? [] : [{ name, was, is }];
  });
  const changed = differing.filter(({ was }) => was !== '');
  return { settings, changed, rows, isPinned: differing.length === changed.length };
}
