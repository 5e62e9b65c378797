import type { Corrected, Correcting } from '../correct/correct.js';
import type { FilePlan } from '../correct/plan-file.js';
import type { RowPlan } from '../correct/plan-row.js';

/** A correction as `correct --json` prints it. @param corrected null: it is only planned. */
export function correctionDocument(planned: Correcting, corrected: Corrected | null) {
  return {
    dryRun: corrected === null,
    source: planned.source.name,
    ...(planned.kind === 'row' ? rowDocument(planned) : fileDocument(planned)),
    decision: corrected?.decisionId ?? null,
    moved: corrected?.moved ?? null,
    resolved: corrected?.resolved ?? null,
    rows: corrected?.rows ?? null,
  };
}

function rowDocument({ row, cells, outcome, issues, records }: RowPlan) {
  return {
    row: {
      drop: row.dropId,
      file: row.drop.file,
      line: row.line,
      disposition: outcome.disposition,
      original: outcome.original,
      cells,
    },
    file: null,
    corrections: [],
    issues: issues.map(({ line: _line, ...issue }) => issue),
    records: records.map(({ key, request }) => ({ key, request })),
  };
}

function fileDocument({ name, checked: { issues, records, corrections, dispositions } }: FilePlan) {
  return {
    row: null,
    file: { name, dispositions },
    corrections,
    issues: issues.map(({ line, ...issue }) => ({ ...issue, ...(line === undefined ? {} : { line }) })),
    records: records.map(({ line, key, request }) => ({ line, key, request })),
  };
}
