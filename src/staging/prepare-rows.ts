import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Issue } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import type { KeyMaker } from '../ledger/keys.js';
import type { PreparedRow } from '../ledger/staging.js';
import { createRowNormaliser } from '../normalise/normalise-row.js';
import type { Operation } from '../operations/operation.js';
import type { DropPlan } from './plan-drop.js';

/** All that turns raw rows into rows ready to be written. */
export interface Preparation {
  readonly operation: Operation;
  readonly source: SourceConfig;
  readonly plan: DropPlan;
  readonly keys: KeyMaker;
  readonly clock: Clock;
  /** Hashes of learners who were forgotten. */
  readonly suppressed: ReadonlySet<string>;
}

/** Reads, normalises and keys a drop's rows, batch by batch in file order. */
export async function* prepareRows(
  opened: OpenedDrop,
  preparation: Preparation,
): AsyncGenerator<readonly PreparedRow[]> {
  const prepare = rowPreparer(preparation);
  for await (const batch of opened.rows(preparation.plan.sheet ?? undefined)) yield batch.map(prepare);
}

/** Prepares one row at a time. */
export function rowPreparer(preparation: Preparation): (row: Row) => PreparedRow {
  const { operation, source, plan, keys, clock, suppressed } = preparation;
  const normalise = createRowNormaliser(operation, source, plan.header, plan.profile, clock);
  return (row) => {
    const normalised = normalise(row);
    if (normalised.disposition === 'blank') return { kind: 'blank', line: row.line, cells: null };
    const { line } = row;
    const cells = JSON.stringify(row.cells);
    if (normalised.disposition !== 'record') {
      return { kind: normalised.disposition, line, cells, issues: normalised.issues };
    }
    const { record } = normalised;
    const recordKeys = keys.record(operation, source.environment, record);
    if (recordKeys.learner !== null && suppressed.has(recordKeys.learner)) {
      return { kind: 'skipped', line, cells: null, issues: [FORGOTTEN] };
    }
    const occurredAt = operation.occurrence(record);
    return {
      kind: 'record',
      line,
      cells,
      record: JSON.stringify(record.fields),
      keys: recordKeys,
      occurredAt,
    };
  };
}

const FORGOTTEN: Issue = {
  code: 'learner-forgotten',
  column: null,
  value: null,
  message: 'The row is about a learner who was forgotten on request; its content is not kept.',
  remedy: 'Nothing is to be done. Take the learner out of the export to be rid of this line.',
};
