import type { Config } from '../../config/schema.js';
import { LEARNER, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/guided-workbook.js';
import type { Learner } from '../../domain/learners/learner.js';
import type { Difference } from '../../domain/text/near-matches.js';
import { type UnknownLearner, unknownLearners } from '../../ledger/books/unknown-learners.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { recheckTimes } from '../status/recheck-times.js';
import { dayText } from '../text/local-time.js';
import type { Sheet, SheetColumn, SheetValue } from '../workbook/sheet.js';
import type { GivenAddress, Survey } from './survey.js';

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
    columns: hasGiven ? [NAMED, RIGHT, WRONG, ...OTHERS] : [NAMED, RIGHT, ...OTHERS],
    rows: people.map((person) => rowOf(person, config, hasGiven)),
    whenFull: 'There are more learners: the rows of the CSV files name them.',
    frozenColumns: 1,
  };
}

const NAMED: SheetColumn = { header: LEARNER, kind: 'text', widest: 40 };

const RIGHT: SheetColumn = {
  header: RIGHT_ADDRESS,
  kind: 'text',
  look: 'fill-in',
  width: 34,
  note: 'Write here under which address or number the platform knows the learner. It then counts for all rows of the learner, and in files to come. Leave it empty where you do not know, or where the account is still to be made: nothing is decided then.',
};

/** The column about an address that was given before. */
const WRONG: SheetColumn = { header: 'What is wrong', kind: 'text', look: 'guide', wraps: true, width: 40 };

const OTHERS: readonly SheetColumn[] = [
  {
    header: 'Known and near',
    kind: 'text',
    wraps: true,
    width: 42,
    note: 'Learners whom the platform knows and who are written nearly so. A near one may be another person: look before you write it down.',
  },
  { header: 'Rows', kind: 'count' },
  { header: 'For example', kind: 'text', wraps: true, width: 34 },
  { header: 'Kind', kind: 'text', width: 17 },
  {
    header: 'Asked again',
    kind: 'text',
    wraps: true,
    width: 26,
    note: 'When Registrar asks the platform again by itself whether it knows the learner now.',
  },
  {
    header: LEARNER_MARK,
    kind: 'text',
    look: 'added',
    width: 34,
    note: 'Says whom the row is about. Leave it as it is.',
  },
];

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
    [...near].map(([id, difference]) => `${id} (${DIFFERENCE_WORDS[difference]})`).join('\n'),
    rowsOf(person),
    example === undefined
      ? ''
      : `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    learner === null ? '' : (KINDS[learner.type] ?? learner.type),
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

const KINDS: Readonly<Record<string, string>> = {
  Email: 'E-mail address',
  UserId: 'User id',
  EmployeeId: 'Employee id',
  AliasUid: 'Alias, an id',
  AliasEmail: 'Alias, an e-mail',
};

/** How a similar identifier differs from the unknown one. */
export const DIFFERENCE_WORDS: Readonly<Record<Difference, string>> = {
  punctuation: 'only dots, dashes, zeros or capitals differ',
  'one-letter': 'one letter differs',
  domain: 'another domain',
};
