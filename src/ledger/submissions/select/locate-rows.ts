import { type RawBuilder, sql } from 'kysely';
import type { OmittedRow } from '../../../documents/decisions.js';
import type { IdentifiedLearner } from '../../../domain/learners/corrected-learners.js';
import { errorsOf, type OperatorError } from '../../../domain/operator-error.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { recordedSelection, type Selection } from '../../../domain/selection.js';
import { dropsNamed, resolveDrops } from '../../drops/published-drops.js';
import { rowAt } from '../../drops/rows/row-at.js';
import { rowsNaming } from '../../drops/rows/rows-naming.js';
import { requireRun } from '../../leases/runs.js';
import { rowOf } from '../../store/by-key.js';
import { isAmong } from '../../store/dialect.js';
import type { Ledger } from '../../store/query.js';
import type { Moment, RowFilter } from './selection.js';

/** A selection with all its names looked up. */
export type LocatedRows = Awaited<ReturnType<typeof locateRows>>;

/**
 * Looks up the names in a selection. Throws OperatorError for a submission, a line, a run or a file that doesn't exist.
 * @param learners that the selection's identifier may mean, one for each type of identifier; null: it has none.
 * @param maxRows as in `rowsNaming`. @param asOf rows that have moved since don't match.
 */
export async function locateRows(
  ledger: Ledger,
  selection: Selection,
  learners: readonly IdentifiedLearner[] | null,
  { maxRows, asOf }: { readonly maxRows?: number; readonly asOf?: Moment } = {},
) {
  const { learner: _, rows, ...filtered } = selection;
  const { states, content, file, run } = filtered;
  if (run !== null) await requireRun(ledger, run, 'choose rows');
  if (file !== null && (await dropsNamed(ledger, file)).length === 0) {
    throw unknownFile('file', file);
  }
  const named = rows === null ? null : await namedRows(ledger, rows, states);
  const texts = learners && [...new Set(learners.map(({ id }) => id.toLowerCase()))];
  const isAboutCells = states.includes('invalid') && (texts !== null || content !== null);
  const about = isAboutCells ? await rowsNaming(ledger, { learner: texts, content }, maxRows) : null;
  const hashes = learners?.map(({ hash }) => hash) ?? null;
  const filter: RowFilter = {
    ...filtered,
    learners: hashes,
    submissionIds: named?.submissionIds ?? null,
    rowRefs: inBoth(named?.rowRefs ?? null, about?.rowRefs ?? null),
    asOf,
  };
  const recorded = recordedSelection(selection, hashes ?? [], named?.rowRefs ?? []);
  return {
    filter,
    /** The selection in the form that a decision records. Never personal. */
    recorded,
    /** Explicitly selected rows that the action doesn't apply to in their present state. */
    omitted: named?.omitted ?? [],
    /** The number of invalid rows that were not searched for the selection's learner or content. */
    unsearched: about?.unsearched ?? 0,
  };
}

/** Resolves explicitly selected rows: a line means the submissions that were made from it, or an invalid row. */
async function namedRows(ledger: Ledger, rows: NonNullable<Selection['rows']>, states: Selection['states']) {
  const numbers = rows.filter((row) => typeof row === 'number');
  const numbered = await submissionsWhere(ledger, isAmong('s.submission_id', numbers));
  const stateById = new Map(numbered.map(({ id, state }) => [id, state]));
  const missing = numbers.filter((id) => !stateById.has(id));
  if (missing.length > 0) {
    throw unknown('row', `there is no submission ${missing.join(', ')}`, 'Reports list the numbers.');
  }
  const rowRefs: RowRef[] = [];
  const omitted: OmittedRow[] = [];
  for (const { file: named, line } of rows.filter((row) => typeof row !== 'number')) {
    const drops = (await resolveDrops(ledger, named)).filter(({ state }) => state === 'published');
    if (drops.length === 0) throw unknownFile('row', named);
    for (const { dropId, file } of drops) {
      const row = await rowAt(ledger, { dropId, line });
      if (row === null) throw unknown('row', `${file} has no row on line ${line}`, 'Reports have the lines.');
      const from = await submissionsWhere(ledger, isMadeFrom({ dropId, line }));
      for (const { id, state } of from) stateById.set(id, state);
      const isOver =
        row.disposition === 'invalid' && (await rowOf(ledger, 'resolution', { drop_id: dropId, line }));
      const state = isOver ? 'resolved' : row.disposition;
      if (state === 'invalid' && states.includes('invalid')) rowRefs.push({ dropId, line });
      else if (from.length === 0) omitted.push({ submissionId: null, drop: dropId, file, line, state });
    }
  }
  for (const [submissionId, state] of stateById) {
    if (!states.includes(state)) omitted.push({ submissionId, drop: null, file: null, line: null, state });
  }
  return { submissionIds: [...stateById.keys()], rowRefs, omitted };
}

/** The places in both lists; null means all places. */
function inBoth(some: readonly RowRef[] | null, others: readonly RowRef[] | null): readonly RowRef[] | null {
  if (some === null || others === null) return some ?? others;
  const isOther = new Set(others.map(({ dropId, line }) => `${dropId}:${line}`));
  return some.filter(({ dropId, line }) => isOther.has(`${dropId}:${line}`));
}

function unknownFile(subject: string, name: string): OperatorError {
  return unknown(subject, `no file was imported as ${name}`, 'The report lists the files.');
}

function unknown(subject: string, message: string, hint: string): OperatorError {
  return errorsOf('choose rows')(subject, message, hint, { reason: 'not-found' });
}

/** Condition on `submission as s`: it was made from the row, by staging or by a decision. */
export function isMadeFrom({ dropId, line }: RowRef): RawBuilder<boolean> {
  return sql<boolean>`s.drop_id = ${dropId} and s.line = ${line}`;
}

/** The published submissions that match a condition on `submission as s`, oldest first. */
export async function submissionsWhere(ledger: Ledger, condition: RawBuilder<boolean>) {
  return ledger.db
    .selectFrom('submission as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.submission_id as id', 's.state'])
    .where('d.state', '=', sql.lit('published'))
    .where(condition)
    .orderBy('s.submission_id')
    .execute();
}
