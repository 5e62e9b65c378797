import { OperatorError } from '../domain/operator-error.js';
import { correctedLearners } from '../ledger/corrected-learners.js';
import { type Correction, corrections, type Identified } from '../ledger/corrections.js';
import { LEARNER_DIGITS } from '../ledger/keys.js';
import type { Ledger } from '../ledger/query.js';
import { settlementOf } from '../ledger/refused-drops.js';
import { rowsNaming } from '../ledger/rows-naming.js';
import {
  dropsNamed,
  keysBeginning,
  type Place,
  submissionsAbout,
  submissionsFrom,
  type TracedDrop,
} from '../ledger/traced-rows.js';
import { settlementText } from './settlement-words.js';

/** What a person asked to trace. */
export interface Asked {
  /** As it was typed. Personal. */
  readonly what: string;
  /** Whoever the text may name, by each type of identifier. */
  readonly learners: readonly Identified[];
  /** Whether rows that became no record are searched however many they are. */
  readonly searchAll: boolean;
}

/** Where a trace begins: rows and submissions that fit what was asked. Personal. */
export interface FoundTraces {
  /** How the text was understood: the first way that finds something; null: none does. */
  readonly kind: 'submission' | 'row' | 'learner' | 'key' | null;
  readonly places: readonly Place[];
  readonly submissionIds: readonly number[];
  /** Corrections of the learner's identifiers. */
  readonly corrections: readonly Correction[];
  /** Rows that became no record and weren't searched. */
  readonly unsearched: number;
  /** What was looked for in vain, or is known besides: sentences. */
  readonly remarks: readonly string[];
}

/** Blocks of cells searched unasked, some hundred rows each: a fifth of a second. */
const MOST_BLOCKS = 1_000;

/** Fewer digits of a key may be a number of another kind. */
const LEAST_KEY_DIGITS = 8;

/**
 * Finds what a text names: `#12` a submission, `file.csv:217`, `3:217` (a drop's number) or `book.xlsx#Sheet:217` a row,
 * else a learner, else a key or how it begins. Throws OperatorError where several keys begin so.
 */
export function findTraced(ledger: Ledger, asked: Asked): FoundTraces {
  const { what } = asked;
  const ofRow = findRow(ledger, what);
  if (ofRow !== null) return ofRow;
  const ofLearner = findLearner(ledger, asked);
  if (ofLearner.kind !== null) return ofLearner;
  return findKey(ledger, what) ?? ofLearner;
}

/** What a text names that is the number of a submission or the place of a row; null for any other text. */
export function findRow(ledger: Ledger, what: string): FoundTraces | null {
  const number = /^#(\d{1,12})$/.exec(what)?.[1];
  if (number !== undefined) return { ...NOTHING, kind: 'submission', submissionIds: [Number(number)] };
  const [, file, sheet, line] = /^(.+?)(?:#([^#]+))?:(\d{1,9})$/.exec(what) ?? [];
  return file === undefined ? null : placesIn(ledger, file, sheet, Number(line));
}

const NOTHING: FoundTraces = {
  kind: null,
  places: [],
  submissionIds: [],
  corrections: [],
  unsearched: 0,
  remarks: [],
};

/** null: no drop has that number or name. */
function placesIn(ledger: Ledger, file: string, sheet: string | undefined, line: number): FoundTraces | null {
  const named = dropsNamed(ledger, file, sheet);
  if (named.length === 0) return null;
  const places = named
    .filter(({ state }) => state === 'published')
    .map(({ dropId }): Place => ({ dropId, line }));
  const remarks = named.flatMap((drop) => {
    if (drop.state === 'refused') {
      const settled = settlementText(settlementOf(ledger, drop.dropId));
      return [`${label(drop)} was set aside as a whole${settled}: ${drop.refusal}`];
    }
    if (drop.state === 'staging') return [`${label(drop)} is being staged.`];
    return drop.headerLine === line ? [`Line ${line} of ${label(drop)} is its header.`] : [];
  });
  const submissionIds = places.flatMap((place) => submissionsFrom(ledger, place));
  return { ...NOTHING, kind: 'row', places, submissionIds, remarks };
}

function label({ file, dropId }: TracedDrop): string {
  return `${file} (drop ${dropId})`;
}

function findLearner(ledger: Ledger, { learners, searchAll }: Asked): FoundTraces {
  const known = corrections(ledger);
  const all = inAllPlaces(learners, known);
  const hashes = new Set(all.map(({ hash }) => hash));
  const submissionIds = submissionsAbout(ledger, [...hashes]);
  const texts = [...new Set(all.map(({ id }) => id.toLowerCase()))];
  const mostBlocks = searchAll ? Number.POSITIVE_INFINITY : MOST_BLOCKS;
  const { found, left } = rowsNaming(ledger, { learner: texts, content: null }, mostBlocks);
  const about = known.filter(({ old, now }) => hashes.has(old.hash) || hashes.has(now.hash));
  const isFound = submissionIds.length > 0 || found.length > 0 || about.length > 0;
  return {
    ...NOTHING,
    kind: isFound ? 'learner' : null,
    places: found,
    submissionIds,
    corrections: about,
    unsearched: left,
  };
}

/** These learners, those that count in their place, and those in whose place these or the latter count. */
function inAllPlaces(learners: readonly Identified[], known: readonly Correction[]): readonly Identified[] {
  const corrected = correctedLearners(known);
  return learners.flatMap((learner) => {
    const now = corrected.inPlaceOf(learner.hash);
    return [learner, ...(now ? [now] : []), ...corrected.formersOf(now?.hash ?? learner.hash)];
  });
}

/** null: it is no key, or none begins so. */
function findKey(ledger: Ledger, what: string): FoundTraces | null {
  const digits = what.toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(digits) || digits.length < LEAST_KEY_DIGITS) return null;
  const [only, another] = keysBeginning(ledger, digits);
  if (!only) return null;
  if (another) {
    throw new OperatorError({
      operation: 'trace a key',
      subject: what,
      message: `more than one key begins with ${what}`,
      hint: `Give more of its 32 digits; keys of one learner have the first ${LEARNER_DIGITS} in common.`,
    });
  }
  return { ...NOTHING, kind: 'key', submissionIds: only.submissionIds };
}
