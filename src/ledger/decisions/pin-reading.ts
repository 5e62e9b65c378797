import { isoFromMs } from '../../domain/clock.js';
import { confirmedMappings, type KeySettings } from '../drops/source-facts.js';
import { addRow } from '../store/by-key.js';
import { type Ledger, writing } from '../store/query.js';
import { type DecisionFacts, endDecision, recordDecision } from './decision-log.js';

export interface Reading {
  /** The settings that its keys depend on; null: unchanged. */
  readonly settings: KeySettings | null;
  /** The mappings of its columns to confirm, each as a text of the caller. */
  readonly mappings: readonly string[];
}

/**
 * Records how a source is read from now on. A confirmation is recorded as decisions: one for the settings, which
 * replace the pinned ones, and one for each mapping that is not confirmed yet.
 * @param confirmation null: without confirmation, only pins settings that are not pinned yet.
 */
export async function pinReading(
  ledger: Ledger,
  source: string,
  { settings, mappings }: Reading,
  confirmation: Pick<DecisionFacts, 'who' | 'because'> | null,
): Promise<void> {
  await writing(ledger, async (ledger) => {
    if (confirmation === null) {
      await insertSettings(ledger, source, settings ?? {}, null);
      return;
    }
    const record = async (selection: Readonly<Record<string, unknown>>) => {
      const decisionId = await recordDecision(ledger, { kind: 'confirm', ...confirmation, selection });
      await endDecision(ledger, decisionId);
      return decisionId;
    };
    if (settings !== null) {
      const decisionId = await record({ source, settings });
      await ledger.db.deleteFrom('pinned_setting').where('source', '=', source).execute();
      await insertSettings(ledger, source, settings, decisionId);
    }
    const confirmed = await confirmedMappings(ledger, source);
    for (const mapping of new Set(mappings)) {
      if (!confirmed.has(mapping)) await record({ source, mapping });
    }
  });
}

async function insertSettings(
  ledger: Ledger,
  source: string,
  settings: KeySettings,
  decisionId: number | null,
): Promise<void> {
  const pinnedAt = isoFromMs(ledger.clock.nowMs());
  for (const [name, value] of Object.entries(settings)) {
    if (value === '') continue;
    const pinned = { source, name, value, pinned_at: pinnedAt, decision_id: decisionId };
    await addRow(ledger, 'pinned_setting', pinned);
  }
}
