import { type RawBuilder, sql } from 'kysely';
import {
  type Correction,
  type IdentifiedLearner,
  inAllPlaces,
} from '../../domain/learners/corrected-learners.js';
import { mapSeries } from '../../domain/process/series.js';
import type { RowRef } from '../../domain/row-ref.js';
import { OPERATIONS } from '../../operations/registry.js';
import { decisionsNumbered } from '../decisions/decision-log.js';
import { corrections } from '../decisions/known-learners.js';
import { publishedDrops, resolveDrops, type TracedDrop } from '../drops/published-drops.js';
import { closureOf } from '../drops/refused/refused-drops.js';
import { cellsAt } from '../drops/rows/kept-rows.js';
import { issuesOf, rowAt } from '../drops/rows/row-at.js';
import { rowsNaming } from '../drops/rows/rows-naming.js';
import { rowOf } from '../store/by-key.js';
import { all, bytes, type Ledger, reading } from '../store/query.js';
import { isMadeFrom, submissionsWhere } from '../submissions/select/locate-rows.js';
import { isOneOf } from '../submissions/subjects.js';
import { type TracedLife, tracedLife } from './submission-life.js';

/** All facts about the subject of a trace. Personal. */
export type Traces = Awaited<ReturnType<typeof readTrace>>;

/** A row with its result. Personal. */
export type RowWithResult = Traces['rows'][number];

/** Reads all facts about the subject of a trace: rows, their results, and the history of their submissions. */
export async function readTrace(ledger: Ledger, subject: TraceQuery) {
  return reading(ledger, async (ledger) => {
    const traces = await findTraces(ledger, subject);
    const { kind, corrections, unsearched, named } = traces;
    const { lives, results } = await allThatBelongs(ledger, traces);
    const rows = results.flatMap(({ rowRef, result }) => (result === null ? [] : [{ ...rowRef, ...result }]));
    const dropIds = [...new Set(rows.map(({ dropId }) => dropId))];
    const isFound = rows.length + lives.length + corrections.length > 0;
    return {
      /** How the text was interpreted: the first interpretation with a match; null: none has. */
      kind: isFound ? kind : null,
      /** By drop and line. */
      rows,
      /** References to lines without a row. */
      missing: results.flatMap(({ rowRef, result }) => (result === null ? [rowRef] : [])),
      /** The drops of these rows. */
      drops: (await mapSeries(dropIds, (dropId) => publishedDrops(ledger, dropId))).flat(),
      lives,
      ...{ corrections, unsearched, named },
    };
  });
}

/**
 * Follows links until there is no new row or submission: from a row to the submission that it became or repeats, from
 * a submission to all rows that led to it, to the submissions that it replaces, and to the one that replaces it.
 */
async function allThatBelongs(ledger: Ledger, { rowRefs, submissionIds }: FoundTraces) {
  const lives = new Map<number, TracedLife>();
  const results = new Map<
    string,
    { readonly rowRef: RowRef; readonly result: Awaited<ReturnType<typeof rowWithResult>> }
  >();
  const openIds = [...submissionIds];
  const openRows = [...rowRefs];
  while (openIds.length > 0 || openRows.length > 0) {
    for (const rowRef of openRows.splice(0)) {
      const name = `${rowRef.dropId}:${rowRef.line}`;
      if (results.has(name)) continue;
      const result = await rowWithResult(ledger, rowRef);
      results.set(name, { rowRef, result });
      const led = [result?.submission, result?.resolution?.submission].filter((id) => typeof id === 'number');
      openIds.push(...(await idsWhere(ledger, isMadeFrom(rowRef))), ...led);
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
  const byPlace = (a: RowRef, b: RowRef) => a.dropId - b.dropId || a.line - b.line;
  return {
    lives: [...lives.values()].sort((a, b) => a.submission - b.submission),
    results: [...results.values()].sort((a, b) => byPlace(a.rowRef, b.rowRef)),
  };
}

/** The rows that repeat the submission, and the invalid rows that later became it or repeat it. */
export async function rowsLeadingTo(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  return all(
    ledger,
    sql<RowRef>`
      select r.drop_id as "dropId", r.line from row r join drop_file d using (drop_id)
      where r.disposition = 'duplicate' and r.submission_id = ${submissionId} and d.state = 'published'
      union all select drop_id, line from resolution where submission_id = ${submissionId}
      order by 1, 2`,
  );
}

/**
 * A row with its present cells, the decision that corrected them (`correctedBy`; null: they were read), and its result; null:
 * there is no row at this place. `resolution`: how a decision resolved an invalid row, with the submission that it became or
 * repeats (null: it was dismissed or skipped, or its learner was forgotten); null: none has.
 */
export async function rowWithResult(ledger: Ledger, { dropId, line }: RowRef) {
  const row = await rowAt(ledger, { dropId, line });
  if (row === null) return null;
  const { cells, correctedBy } = await cellsAt(ledger, { dropId, line });
  const resolved = await rowOf(ledger, 'resolution', { drop_id: dropId, line });
  const decisions = await decisionsNumbered(ledger, [correctedBy, resolved?.decision_id ?? null]);
  const decision = decisions.get(resolved?.decision_id ?? 0);
  return {
    ...row,
    cells,
    correctedBy: decisions.get(correctedBy ?? 0) ?? null,
    issues: await issuesOf(ledger, dropId, line),
    resolution: resolved && decision ? { decision, submission: resolved.submission_id } : null,
  };
}

export interface TraceQuery {
  /** The text as typed. Personal. */
  readonly what: string;
  /** The learners that the text may mean, one for each type of identifier; null: it can't be a learner's identifier. */
  readonly learners: readonly IdentifiedLearner[] | null;
  /** True: searches all invalid and skipped rows, however many there are. */
  readonly searchAll: boolean;
}

/** The starting points of a trace: rows and submissions that match the text. Personal. */
export type FoundTraces = typeof NOTHING;

const NOTHING = {
  /** How the text was interpreted: the first interpretation with a match; null: none has. */
  kind: null as 'submission' | 'row' | 'learner' | 'key' | null,
  rowRefs: [] as readonly RowRef[],
  submissionIds: [] as readonly number[],
  corrections: [] as readonly Correction[],
  /** The number of invalid and skipped rows that were not searched. */
  unsearched: 0,
  /** The drops of the requested file, including refused ones. */
  named: [] as readonly NamedDrop[],
};

/** A drop of the requested file, with the line. `closure`: how a refused file was closed; null: it is open, or not refused. */
export type NamedDrop = Awaited<ReturnType<typeof namedDrop>>;

async function namedDrop(ledger: Ledger, drop: TracedDrop, line: number) {
  return { drop, line, closure: drop.state === 'refused' ? await closureOf(ledger, drop.dropId) : null };
}

/** The maximum number of rows whose cells are searched by default. */
const MAX_ROWS = 100_000;

/**
 * Finds the rows and submissions that a text means: `#12` is a submission, `file.csv:217`, `3:217` (with a drop's
 * number) or `book.xlsx#Sheet:217` a row, any other text a learner or a key.
 */
export async function findTraces(
  ledger: Ledger,
  { what, learners, searchAll }: TraceQuery,
): Promise<FoundTraces> {
  const number = /^#(\d{1,12})$/.exec(what)?.[1];
  if (number !== undefined) return { ...NOTHING, kind: 'submission', submissionIds: [Number(number)] };
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(what) ?? [];
  const ofRow = file === undefined ? null : await placesIn(ledger, file, Number(line));
  if (ofRow !== null) return ofRow;
  if (learners === null) return NOTHING;
  const ofLearner = await findLearner(ledger, learners, searchAll ? Number.MAX_SAFE_INTEGER : MAX_ROWS);
  if (ofLearner.kind !== null) return ofLearner;
  return (await findKey(ledger, what)) ?? ofLearner;
}

/** Finds rows by file and line; null: no drop has that number or name. */
async function placesIn(ledger: Ledger, file: string, line: number): Promise<FoundTraces | null> {
  const drops = await resolveDrops(ledger, file);
  if (drops.length === 0) return null;
  const named = await mapSeries(drops, (drop) => namedDrop(ledger, drop, line));
  const published = drops.filter(({ state }) => state === 'published');
  const rowRefs = published.map(({ dropId }) => ({ dropId, line }));
  const submissionIds = (
    await mapSeries(rowRefs, async (rowRef) => idsWhere(ledger, isMadeFrom(rowRef)))
  ).flat();
  return { ...NOTHING, kind: 'row', rowRefs, submissionIds, named };
}

/** Finds the rows and submissions of learners, under all their identifiers. @param maxRows as in `searchRows`. */
export async function findLearner(
  ledger: Ledger,
  learners: readonly IdentifiedLearner[],
  maxRows: number,
): Promise<FoundTraces> {
  const links = await corrections(ledger);
  const places = inAllPlaces(learners, links);
  const hashes = new Set(places.map(({ hash }) => hash));
  const submissionIds = await idsWhere(ledger, isOneOf('s.learner_id', [...hashes]));
  const texts = [...new Set(places.map(({ id }) => id.toLowerCase()))];
  const { rowRefs, unsearched } = await rowsNaming(ledger, { learner: texts, content: null }, maxRows);
  const about = links.filter(({ old, now }) => hashes.has(old.hash) || hashes.has(now.hash));
  const isFound = submissionIds.length > 0 || rowRefs.length > 0 || about.length > 0;
  const kind = isFound ? 'learner' : null;
  return { ...NOTHING, kind, rowRefs, submissionIds, corrections: about, unsearched };
}

/** Finds submissions by a key; null: the text isn't one, or no submission has it. */
async function findKey(ledger: Ledger, what: string): Promise<FoundTraces | null> {
  const [, learner = '', content = '', environment = '', family, occurredAt = ''] =
    KEY.exec(what.trim()) ?? [];
  const operations = OPERATIONS.filter((one) => one.family === family).map(({ name }) => name);
  if (operations.length === 0) return null;
  const isOfKey = sql<boolean>`${isOneOf('s.learner_id', [learner])}
    and s.content_id = (select content_id from content where hash = ${bytes(content)})
    and s.environment_id = (select environment_id from environment where name = ${environment})
    and s.operation_id in (select operation_id from operation where name in (${sql.join(operations)}))
    and s.occurred_at = ${occurredAt}`;
  const submissionIds = await idsWhere(ledger, isOfKey);
  return submissionIds.length === 0 ? null : { ...NOTHING, kind: 'key', submissionIds };
}

async function idsWhere(ledger: Ledger, condition: RawBuilder<boolean>): Promise<number[]> {
  return (await submissionsWhere(ledger, condition)).map(({ id }) => id);
}

/** The text of a key, as `keyText` makes it. */
const KEY = /^([0-9a-f]{16})\/([0-9a-f]{16})\/(.+)\/([a-z-]+)\/([\dTZ:.-]*)$/;
