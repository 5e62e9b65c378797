import type { Identified } from '../../domain/learners/corrected-learners.js';
import { mapSeries } from '../../domain/process/series.js';
import type { State } from '../../domain/submission.js';
import { type Mentions, mentionsOf } from '../../domain/text/mentions.js';
import { corrections } from '../decisions/corrections.js';
import type { Ledger } from '../store/query.js';
import { connectedLearners, type PersonRow, repeatsOf, rowsOfLearner } from './forgetting.js';

/** Who is to be forgotten, through all corrections. Personal. */
export interface Named {
  readonly hashes: readonly string[];
  /** The person's identifiers in texts and cells. */
  readonly identifiers: readonly string[];
}

/** What the ledger has of a person. */
export interface Person {
  readonly hashes: readonly string[];
  readonly mentions: Mentions;
  /** Lines of each drop whose rows are about the person. */
  readonly lines: ReadonlyMap<number, ReadonlySet<number>>;
  readonly submissions: readonly PersonRow[];
}

/**
 * The person behind these learners, through all corrections. @param learners all learners that an identifier may name, one for
 * each type.
 */
export async function namedThrough(ledger: Ledger, learners: readonly Identified[]): Promise<Named> {
  const hashes = await connectedLearners(
    ledger,
    learners.map(({ hash }) => hash),
  );
  const corrected = (await corrections(ledger)).flatMap(({ old, now }) => [old, now]);
  const identifiers = [...learners, ...corrected].filter(({ hash }) => hashes.includes(hash));
  return { hashes, identifiers: [...new Set(identifiers.map(({ id }) => id))].sort() };
}

/** Looks up what the ledger has of the person. */
export async function personOf(ledger: Ledger, { hashes, identifiers }: Named): Promise<Person> {
  const submissions = (await mapSeries(hashes, async (hash) => rowsOfLearner(ledger, hash))).flat();
  const lines = new Map<number, Set<number>>();
  const add = ({ dropId, line }: { dropId: number; line: number }) => {
    lines.set(dropId, (lines.get(dropId) ?? new Set()).add(line));
  };
  for (const submission of submissions) {
    add(submission);
    for (const row of await repeatsOf(ledger, submission.submissionId)) add(row);
  }
  return { hashes, mentions: mentionsOf(identifiers), lines, submissions };
}

/** Submissions about the person by state; a state without any is left out. */
export function statesOf({ submissions }: Person): Readonly<Partial<Record<State, number>>> {
  const states: Partial<Record<State, number>> = {};
  for (const { state } of submissions) states[state] = (states[state] ?? 0) + 1;
  return states;
}
