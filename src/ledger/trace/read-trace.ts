import { sql } from 'kysely';
import { mapSeries } from '../../domain/process/series.js';
import type { RowRef } from '../../domain/row-ref.js';
import { decisionsNumbered } from '../decisions/decision-log.js';
import { type PublishedDrop, publishedDrops } from '../drops/published-drops.js';
import { cellsAt } from '../drops/rows/kept-rows.js';
import { issuesOf, rowAt } from '../drops/rows/row-at.js';
import { ledgerFacts } from '../store/ledger-facts.js';
import { type Ledger, query, reading } from '../store/query.js';
import { submissionsFrom } from '../submissions/select/submission-numbers.js';
import { type Asked, type FoundTraces, findTraces } from './find-traces.js';
import { type TracedLife, tracedLife } from './submission-life.js';

/** All that the ledger knows about the subject of a trace. Personal. */
export type Traces = Awaited<ReturnType<typeof readTrace>>;

/** A row with its fate. Personal. */
export type KeptRow = Traces['rows'][number];

/**
 * Reads everything that belongs to the subject of a trace: rows, what they became, and the lives of these submissions. Throws
 * OperatorError where several keys begin so.
 */
export async function readTrace(ledger: Ledger, asked: Asked) {
  return reading(ledger, async (ledger) => {
    const found = await findTraces(ledger, asked);
    const { lives, fates } = await allThatBelongs(ledger, found);
    const { rows, missing, drops } = await rowsAt(ledger, fates);
    const isFound = rows.length + lives.length + found.corrections.length > 0;
    return {
      /** How the text was understood: the first way that finds something; null: none does. */
      kind: isFound ? found.kind : null,
      /** By drop and line. */
      rows,
      /** References to lines where no row was read. */
      missing,
      /** The drops of these rows. */
      drops,
      lives,
      corrections: found.corrections,
      /** Rows that became no record and weren't searched. */
      unsearched: found.unsearched,
      named: found.named,
      ledger: await ledgerFacts(ledger),
    };
  });
}

/**
 * Follows links until no new row or submission appears: from a row to the submission that it became or repeats, from a submission
 * to all rows that lead to it, to the submissions that it replaces and to the one that replaces it.
 */
async function allThatBelongs(ledger: Ledger, { rowRefs, submissionIds }: FoundTraces) {
  const lives = new Map<number, TracedLife>();
  const fates = new Map<
    string,
    { readonly rowRef: RowRef; readonly fate: Awaited<ReturnType<typeof rowFate>> }
  >();
  const openIds = [...submissionIds];
  const openRows = [...rowRefs];
  while (openIds.length > 0 || openRows.length > 0) {
    for (const rowRef of openRows.splice(0)) {
      const name = `${rowRef.dropId}:${rowRef.line}`;
      if (fates.has(name)) continue;
      const fate = await rowFate(ledger, rowRef);
      fates.set(name, { rowRef, fate });
      const led = [fate?.submission, fate?.resolution?.submission].filter((id) => typeof id === 'number');
      openIds.push(...(await submissionsFrom(ledger, rowRef)), ...led);
    }
    for (const id of openIds.splice(0)) {
      if (lives.has(id)) continue;
      const life = await tracedLife(ledger, id);
      if (life === null) continue;
      lives.set(id, life);
      openIds.push(...life.replaces, ...(life.replacedBy === null ? [] : [life.replacedBy]));
      openRows.push({ dropId: life.drop, line: life.line }, ...(await rowsLeadingTo(ledger, id)));
    }
  }
  return {
    lives: [...lives.values()].sort((a, b) => a.submission - b.submission),
    fates: [...fates.values()].sort(
      (a, b) => a.rowRef.dropId - b.rowRef.dropId || a.rowRef.line - b.rowRef.line,
    ),
  };
}

async function rowsAt(ledger: Ledger, fates: Awaited<ReturnType<typeof allThatBelongs>>['fates']) {
  const missing: RowRef[] = [];
  const drops = new Map<number, PublishedDrop>();
  const rows = await mapSeries(fates, async ({ rowRef, fate }) => {
    const { dropId } = rowRef;
    const drop = drops.get(dropId) ?? (await publishedDrops(ledger, dropId))[0];
    if (fate === null || drop === undefined) {
      missing.push(rowRef);
      return [];
    }
    drops.set(dropId, drop);
    const { cells, correctedBy } = await cellsAt(ledger, rowRef);
    const decision = (await decisionsNumbered(ledger, [correctedBy])).get(correctedBy ?? 0);
    return [{ ...rowRef, ...fate, cells, correctedBy: decision ?? null }];
  });
  return { rows: rows.flat(), missing, drops: [...drops.values()] };
}

/** Rows that repeat the submission, and invalid rows that became it or turned out to repeat it. */
export async function rowsLeadingTo(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  return (
    ledger.db
      .selectFrom('row as r')
      .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
      .select(['r.drop_id as dropId', 'r.line'])
      // A literal: SQLite uses the index of duplicates only for exactly this condition.
      .where(sql<boolean>`r.disposition = 'duplicate'`)
      .where('r.submission_id', '=', submissionId)
      .where('d.state', '=', sql.lit('published'))
      .unionAll(
        query
          .selectFrom('resolution as z')
          .select(['z.drop_id as dropId', 'z.line'])
          .where('z.submission_id', '=', submissionId),
      )
      .orderBy('dropId')
      .orderBy('line')
      .execute()
  );
}

/** How an invalid row was resolved. */
export type Resolution = NonNullable<KeptRow['resolution']>;

/**
 * A row's disposition, and what it became since; null when no row was read at this place. `resolution`: how a later decision resolved an
 * invalid row, with the submission that it became or turned out to repeat (null: it was dismissed or skipped, or its learner was
 * forgotten); null: none has.
 */
export async function rowFate(ledger: Ledger, { dropId, line }: RowRef) {
  const row = await rowAt(ledger, { dropId, line });
  if (row === null) return null;
  const issues = await issuesOf(ledger, dropId, line);
  const resolution = await ledger.db
    .selectFrom('resolution as z')
    .select(['z.decision_id as decisionId', 'z.submission_id as submission'])
    .where('z.drop_id', '=', dropId)
    .where('z.line', '=', line)
    .executeTakeFirst();
  const decision = (await decisionsNumbered(ledger, [resolution?.decisionId ?? null])).get(
    resolution?.decisionId ?? 0,
  );
  const resolved =
    resolution === undefined || decision === undefined
      ? null
      : { decision, submission: resolution.submission };
  return { ...row, issues, resolution: resolved };
}
