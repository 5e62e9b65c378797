import { sql } from 'kysely';
import type { Decider } from '../domain/decider.js';
import { LEARNER_MARK } from '../domain/guided-workbook.js';
import { closeDecision, openDecision } from './decision-log.js';
import { first, type Ledger, query, writing } from './query.js';

/**
 * How the source's last published drop was read; null when none has been. A drop of another operation doesn't count, nor
 * does a file of corrections, which has the header of the drop that it corrects, or that of learners' addresses.
 */
export function savedMapping(
  ledger: Ledger,
  source: string,
  operation: string,
): { file: string; header: string[]; mapping: Record<string, string> } | null {
  const last = first(
    ledger,
    query
      .selectFrom('drop')
      .select(['file_name as file', 'header', 'mapping'])
      .where('source', '=', source)
      .where('operation', '=', operation)
      // Not bound: the index of published drops serves only this very condition.
      .where('state', '=', sql.lit('published' as const))
      .where(sql<boolean>`not exists (select 1 from redrop_row r where r.drop_id = "drop".drop_id)`)
      .where(sql<boolean>`instr(header, ${JSON.stringify(LEARNER_MARK)}) = 0`)
      .orderBy('published_at', 'desc')
      .orderBy('drop_id', 'desc')
      .limit(1),
  );
  if (!last || last.header === null || last.mapping === null) return null;
  return {
    file: last.file,
    header: JSON.parse(last.header) as string[],
    mapping: JSON.parse(last.mapping) as Record<string, string>,
  };
}

/** True when a person has confirmed that this mapping, a text of the caller's, is right for the source. */
export function isMappingConfirmed(ledger: Ledger, source: string, mapping: string): boolean {
  const decision = first(
    ledger,
    query
      .selectFrom('decision')
      .select('decision_id')
      .where('kind', '=', 'confirm')
      .where(sql<string>`selection ->> '$.source'`, '=', source)
      .where(sql<string>`selection ->> '$.mapping'`, '=', mapping)
      .limit(1),
  );
  return decision !== undefined;
}

/** Records that a person has confirmed it. @param because null: nobody was asked why. */
export function confirmMapping(
  ledger: Ledger,
  source: string,
  mapping: string,
  who: Decider,
  because: string | null = null,
): void {
  writing(ledger, () => {
    const decisionId = openDecision(ledger, {
      kind: 'confirm',
      who,
      because,
      selection: { source, mapping },
    });
    closeDecision(ledger, decisionId);
  });
}
