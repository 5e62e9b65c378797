import type { Closure } from '../../documents/report.js';
import { type Correction, type Identified, inAllPlaces } from '../../domain/learners/corrected-learners.js';
import { mapSeries } from '../../domain/process/series.js';
import type { RowRef } from '../../domain/row-ref.js';
import { OPERATIONS } from '../../operations/registry.js';
import { corrections } from '../decisions/known-learners.js';
import { dropsBehind, type TracedDrop } from '../drops/published-drops.js';
import { closureOf } from '../drops/refused/refused-drops.js';
import { rowsNaming } from '../drops/rows/rows-naming.js';
import type { Ledger } from '../store/query.js';
import {
  submissionsAbout,
  submissionsFrom,
  submissionsWithKey,
} from '../submissions/select/submission-numbers.js';

/** What a person asked to trace. */
export interface Asked {
  /** As it was typed. Personal. */
  readonly what: string;
  /** All learners that the text may name, one for each type of identifier; null: it names a submission or a row, or nothing. */
  readonly learners: readonly Identified[] | null;
  /** Whether rows that became no record are searched however many they are. */
  readonly searchAll: boolean;
}

/** The beginning of a trace: rows and submissions that match the text. Personal. */
export interface FoundTraces {
  /** How the text was understood: the first way that finds something; null: none does. */
  readonly kind: 'submission' | 'row' | 'learner' | 'key' | null;
  readonly rowRefs: readonly RowRef[];
  readonly submissionIds: readonly number[];
  /** Corrections of the learner's identifiers. */
  readonly corrections: readonly Correction[];
  /** Rows that became no record and weren't searched. */
  readonly unsearched: number;
  /** The drops of the file that was asked about, set-aside ones included. */
  readonly named: readonly NamedDrop[];
}

/** A drop of the file with the line that was asked about. */
export interface NamedDrop {
  readonly drop: TracedDrop;
  readonly line: number;
  /** How it was closed after it was refused; null while it is open, and for the others. */
  readonly closure: Closure | null;
}

/** Rows whose cells are searched by default. */
const MAX_ROWS = 100_000;

/**
 * Finds the rows and submissions that a text names: `#12` a submission, `file.csv:217`, `3:217` (a drop's number) or
 * `book.xlsx#Sheet:217` a row, else a learner, else a key or its beginning.
 */
export async function findTraces(ledger: Ledger, asked: Asked): Promise<FoundTraces> {
  const { what } = asked;
  const ofRow = await findRow(ledger, what);
  if (ofRow !== null) return ofRow;
  const { learners } = asked;
  if (learners === null) return NOTHING;
  const ofLearner = await findLearner(ledger, learners, asked.searchAll);
  if (ofLearner.kind !== null) return ofLearner;
  return (await findKey(ledger, what)) ?? ofLearner;
}

/** The submission or row that a text names by number, or by file and line; null for any other text. */
async function findRow(ledger: Ledger, what: string): Promise<FoundTraces | null> {
  const number = /^#(\d{1,12})$/.exec(what)?.[1];
  if (number !== undefined) return { ...NOTHING, kind: 'submission', submissionIds: [Number(number)] };
  const [, file, line] = /^(.+):(\d{1,9})$/.exec(what) ?? [];
  return file === undefined ? null : await placesIn(ledger, file, Number(line));
}

const NOTHING: FoundTraces = {
  kind: null,
  rowRefs: [],
  submissionIds: [],
  corrections: [],
  unsearched: 0,
  named: [],
};

/** null: no drop has that number or name. */
async function placesIn(ledger: Ledger, file: string, line: number): Promise<FoundTraces | null> {
  const drops = await dropsBehind(ledger, file);
  if (drops.length === 0) return null;
  const named = await mapSeries(drops, async (drop) => ({
    drop,
    line,
    closure: drop.state === 'refused' ? await closureOf(ledger, drop.dropId) : null,
  }));
  const rowRefs = drops
    .filter(({ state }) => state === 'published')
    .map(({ dropId }): RowRef => ({ dropId, line }));
  const submissionIds = (await mapSeries(rowRefs, async (rowRef) => submissionsFrom(ledger, rowRef))).flat();
  return { ...NOTHING, kind: 'row', rowRefs, submissionIds, named };
}

async function findLearner(
  ledger: Ledger,
  learners: readonly Identified[],
  searchAll: boolean,
): Promise<FoundTraces> {
  const known = await corrections(ledger);
  const all = inAllPlaces(learners, known);
  const hashes = new Set(all.map(({ hash }) => hash));
  const submissionIds = await submissionsAbout(ledger, [...hashes]);
  const texts = [...new Set(all.map(({ id }) => id.toLowerCase()))];
  const mostRows = searchAll ? Number.MAX_SAFE_INTEGER : MAX_ROWS;
  const { found, left } = await rowsNaming(ledger, { learner: texts, content: null }, mostRows);
  const about = known.filter(({ old, now }) => hashes.has(old.hash) || hashes.has(now.hash));
  const isFound = submissionIds.length > 0 || found.length > 0 || about.length > 0;
  return {
    ...NOTHING,
    kind: isFound ? 'learner' : null,
    rowRefs: found,
    submissionIds,
    corrections: about,
    unsearched: left,
  };
}

/** null: the text is no key nor the beginning of one, or no key begins so. */
async function findKey(ledger: Ledger, what: string): Promise<FoundTraces | null> {
  const [, learner, content = null, environment = null, family = null, occurredAt = null] =
    KEY.exec(what.trim()) ?? [];
  if (learner === undefined) return null;
  const operations = family === null ? null : OPERATIONS.filter((one) => one.family === family);
  const submissionIds = await submissionsWithKey(ledger, {
    learner,
    content,
    environment,
    operations: operations?.map(({ name }) => name) ?? null,
    occurredAt,
  });
  return submissionIds.length === 0 ? null : { ...NOTHING, kind: 'key', submissionIds };
}

/** The text of a key, or its beginning as far as a slash: hash of the learner, hash of the content, … */
const KEY = /^([0-9a-f]{16})\/(?:([0-9a-f]{16})(?:\/(.+?)(?:\/([a-z-]+)(?:\/([\dTZ:.-]*))?)?)?)?\/?$/;
