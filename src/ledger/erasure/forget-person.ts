import { summed } from '../../domain/grouped.js';
import type { Identified } from '../../domain/learners/corrected-learners.js';
import { nearMatches } from '../../domain/text/near-matches.js';
import type { RecordedDecision } from '../decisions/decision-log.js';
import { suppressedLearners } from '../decisions/known-learners.js';
import { endHolds } from '../decisions/mapping.js';
import { paged } from '../leases/leave-room.js';
import { breathe, pagesOf } from '../store/pages.js';
import type { Ledger } from '../store/query.js';
import { readFilesOf, removeReadFiles } from '../submissions/staging/read-rows.js';
import { knownLearners } from '../submissions/subjects.js';
import { compactLedger, erasing } from './compact.js';
import { forgetLearners, forgetRow, forgetSubmissions, forgetTexts } from './forgetting.js';
import { namingCells } from './kept-cells.js';
import {
  clearIdentifiers,
  identifiersOfForget,
  namedThrough,
  type Person,
  personOf,
  requireQuiet,
  statesOf,
} from './person.js';
import { type Proof, proveForgotten, textsWith } from './prove-forgotten.js';

/**
 * Finds the data of the person behind these learners, by present and former identifiers; reads all kept rows.
 * `isKnown` is false where the ledger has no data about the person, and no earlier decision about them.
 */
export async function findPerson(ledger: Ledger, learners: readonly Identified[]) {
  const named = await namedThrough(ledger, learners);
  const person = await personOf(ledger, named);
  let counts = { rows: 0, mentions: 0 };
  for await (const step of namingCells(ledger, person, null)) {
    counts = summed(counts, step);
    await breathe();
  }
  const isFound = person.submissions.length + counts.rows + counts.mentions > 0;
  const isKnown = isFound || (await isSuppressed(ledger, person)) || (await isInTexts(ledger, person));
  return { identifiers: named.identifiers, states: statesOf(person), ...counts, isKnown };
}

async function isSuppressed(ledger: Ledger, { hashes }: Person): Promise<boolean> {
  const suppressed = await suppressedLearners(ledger);
  return hashes.some((hash) => suppressed.has(hash));
}

/** True where a reason, an answer or another text of the ledger contains an identifier of the person. */
async function isInTexts(ledger: Ledger, { mentions }: Person): Promise<boolean> {
  for (const needle of mentions.distinctive) {
    for await (const { text } of textsWith(ledger, needle)) if (mentions.inText(text)) return true;
  }
  return false;
}

/**
 * Finds the learners of the ledger that are most similar to an unknown one, nearest first; reads every learner.
 * Personal.
 */
export async function nearPeople(ledger: Ledger, learners: readonly Identified[]): Promise<string[]> {
  const near = await nearMatches(learners, knownLearners(ledger));
  return [...new Set(near.flat().map(({ id }) => id))];
}

const GOES_ON = {
  hint: 'Use registrar run to finish it, which then also finishes the forgetting.',
  exit: 'attention',
} as const;

type Forget = Pick<RecordedDecision, 'decisionId' | 'selection'>;

async function personOfForget(ledger: Ledger, { decisionId, selection }: Forget) {
  const hashes = selection.learners as readonly string[];
  const identifiers = await identifiersOfForget(ledger, decisionId);
  return { identifiers, person: await personOf(ledger, { hashes, identifiers }) };
}

/** The numbers of rows that were erased or closed. */
export type Erased = Readonly<typeof NOTHING_ERASED>;

export const NOTHING_ERASED = {
  rows: 0,
  mentions: 0,
  dismissed: 0,
  records: 0,
  answers: 0,
  issues: 0,
  refusals: 0,
  corrections: 0,
};

/**
 * A step of a forget. The first one comes before anything is erased, and has the person's identifiers in texts, cells
 * and files ([]: unknown, because every text with them was erased), and their submissions by state. Personal.
 */
export type ForgetStep =
  | {
      readonly found: {
        readonly identifiers: readonly string[];
        readonly states: ReturnType<typeof statesOf>;
      };
    }
  | { readonly erased: Partial<Erased> };

/**
 * Erases the person of an open forget from rows, records, answers and all other texts, one transaction for each step.
 * Dismisses the submissions that would still be sent, rewrites the ledger's file, searches all of it for the person,
 * and clears the identifiers last. Throws OperatorError while a file is half staged or a row about the person is
 * being sent: either would add data about the person again.
 */
export async function* forgetPerson(
  ledger: Ledger,
  decision: Forget,
): AsyncGenerator<ForgetStep, Proof, undefined> {
  const { identifiers, person } = await personOfForget(ledger, decision);
  await requireQuiet(ledger, person, GOES_ON);
  // No drop is half staged, so files of read rows are left over from a crash.
  removeReadFiles(readFilesOf(ledger.beside));
  yield { found: { identifiers, states: statesOf(person) } };
  for await (const erased of paged(ledger, forgetPages(ledger, decision.decisionId, person))) {
    yield { erased };
  }
  await compactLedger(ledger, 'now');
  return proveForgotten(ledger, identifiers, person.hashes);
}

async function* forgetPages(
  ledger: Ledger,
  decisionId: number,
  person: Person,
): AsyncGenerator<Partial<Erased>> {
  yield* namingCells(ledger, person, decisionId);
  for (const page of pagesOf(person.submissions.map(({ submissionId }) => submissionId))) {
    yield await erasing(ledger, async (ledger) => forgetSubmissions(ledger, decisionId, page));
  }
  for (const page of pagesOf(linesOf(person))) {
    const issues = await erasing(ledger, async (ledger) => {
      let cleared = 0;
      for (const { dropId, line } of page) cleared += await forgetRow(ledger, decisionId, dropId, line);
      return cleared;
    });
    yield { issues };
  }
  const { mentions, hashes } = person;
  for (const needle of mentions.distinctive) {
    yield await erasing(ledger, async (ledger) => forgetTexts(ledger, needle, mentions.inText));
  }
  const corrections = await erasing(ledger, async (ledger) => {
    for (const hash of hashes) await endHolds(ledger, hash);
    return forgetLearners(ledger, hashes);
  });
  yield { corrections };
  // Last, because until then another process may have to resume the search.
  await erasing(ledger, async (ledger) => clearIdentifiers(ledger, decisionId));
  yield {};
}

function linesOf({ lines }: Person) {
  return [...lines].flatMap(([dropId, own]) => [...own].map((line) => ({ dropId, line })));
}
