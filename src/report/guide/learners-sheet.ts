import type { Config } from '../../config/schema.js';
import type { Learner } from '../../domain/learners/learner.js';
import { type UnknownLearner, unknownLearners } from '../../ledger/books/unknown-learners.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { recheckTimes } from '../status/recheck-times.js';
import { dayText } from '../text/local-time.js';
import { terms } from '../words/terms.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import type { GivenAddress, Survey } from './survey.js';
import { workbookWords } from './workbook-words.js';

/** Unknown learners, each once, even where several environments don't know a learner. */
export interface UnknownPeople {
  readonly people: readonly Person[];
  /**
   * The earliest of the last days on which Registrar asks about a learner by itself; null where it asks about none any
   * more.
   */
  readonly askedUntil: string | null;
}

interface Person {
  readonly hash: string;
  /** null where nothing names the learner. */
  readonly learner: Learner | null;
  /** The environments in which the learner is unknown; empty for a learner without a row in the report. */
  readonly in: readonly UnknownLearner[];
  /** Addresses that people have given and that couldn't be taken. */
  readonly given: readonly GivenAddress[];
}

/**
 * The most learners of a sheet: nobody looks up more by hand, and for each one similar known learners are searched among
 * all.
 */
const MOST_LEARNERS = 5_000;

/**
 * Learners of the selection whom the platform doesn't know, those with the most rows first; and learners for whom people
 * gave an address that couldn't be taken. Personal.
 */
export async function unknownPeople(
  ledger: Ledger,
  selection: ReportSelection,
  config: Config | null,
  addresses: readonly GivenAddress[],
): Promise<UnknownPeople> {
  const { listed } = await unknownLearners(ledger, selection, MOST_LEARNERS);
  const unknown = together(listed, ({ hash }) => hash);
  const given = together(addresses, ({ learner }) => learner);
  const lasts = [...unknown.values()].flat().flatMap(({ hold, environment }) => {
    const times = recheckTimes(hold, config?.environments[environment]?.recheck);
    return times === null ? [] : [times.last];
  });
  const others = [...given.keys()].filter((hash) => !unknown.has(hash));
  const { named } = await knownLearners(ledger, others);
  const people = [...unknown.keys(), ...others].map((hash): Person => {
    const all = unknown.get(hash) ?? [];
    const learner = all[0]?.learner ?? named.get(hash) ?? null;
    return { hash, learner, in: all, given: given.get(hash) ?? [] };
  });
  return { people, askedUntil: lasts.sort()[0] ?? null };
}

function together<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The sheet of learners whom the platform doesn't know. */
export function learnersSheet(
  name: string,
  { people }: UnknownPeople,
  { rows, addresses }: Pick<Survey, 'rows' | 'addresses'>,
  config: Config | null,
  leftOut: SheetValue[][],
): Sheet {
  const listed = people.reduce((sum, person) => sum + rowsOf(person), addresses.length);
  const missing = rows.learners - listed;
  if (missing > 0) {
    const why =
      'Their learners are beyond those with the most rows, or were erased; registrar map lists who else is unknown.';
    leftOut.push([name, 'several', `${missing} more`, why]);
  }
  const hasGiven = people.some(({ given }) => given.length > 0);
  return {
    name,
    columns: workbookWords().learners.filter((_, index) => hasGiven || index !== GIVEN_COLUMN),
    rows: people.map((person) => rowOf(person, config, hasGiven)),
    whenFull: 'There are more learners: the rows of the CSV files name them.',
    frozenColumns: 1,
  };
}

/** Place of the column about addresses that couldn't be taken. */
const GIVEN_COLUMN = 2;

function rowOf(person: Person, config: Config | null, hasGiven: boolean): SheetValue[] {
  const { hash, learner, given } = person;
  const near = new Map(person.in.flatMap((one) => one.near.map(({ id, why }) => [id, why])));
  const example = person.in[0]?.example;
  const course = example?.fields['content-id'];
  const why = [...new Set(given.map((one) => one.why))].join('\n');
  const last = given.at(-1);
  return [
    learner?.id ?? null,
    last === undefined ? null : { text: last.address, note: why },
    ...(hasGiven ? [why] : []),
    [...near].map(([id, difference]) => `${id} (${terms().differences[difference]})`).join('\n'),
    rowsOf(person),
    example === undefined
      ? ''
      : `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    learner === null ? '' : (workbookWords().kinds[learner.type] ?? learner.type),
    person.in.length === 0 ? '' : askedAgain(person, config),
    hash,
  ];
}

function rowsOf(person: Person): number {
  return person.in.reduce((sum, { rows }) => sum + rows, 0);
}

function askedAgain(person: Person, config: Config | null): string {
  const times = person.in.flatMap(
    ({ hold, environment }) => recheckTimes(hold, config?.environments[environment]?.recheck) ?? [],
  );
  const next = times.map((time) => time.next).sort()[0];
  const last = times.map((time) => time.last).sort()[0];
  if (next === undefined || last === undefined) return 'no more by itself';
  return next === last
    ? `${dayText(next)}, for the last time`
    : `${dayText(next)}, and until ${dayText(last)}`;
}
