import type { Config } from '../../config/schema.js';
import { LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/guided-workbook.js';
import type { Scope } from '../../ledger/books.js';
import type { Ledger } from '../../ledger/query.js';
import type { Difference } from '../../normalise/near-matches.js';
import { recheckTimes } from '../recheck-times.js';
import { type UnknownWithNear, unknownWithNear } from '../unknown-with-near.js';
import type { Sheet, SheetColumn, SheetValue } from '../write-workbook.js';
import { dayText } from './day-text.js';
import type { LeftOut } from './left-out.js';

/** Unknown learners once each, whatever environments don't know them. */
export interface UnknownPeople {
  readonly people: readonly Person[];
  /** The last day on which Registrar asks by itself about the one for whom that ends first; null: it asks no more. */
  readonly askedUntil: string | null;
}

interface Person {
  readonly hash: string;
  readonly in: readonly [UnknownWithNear, ...UnknownWithNear[]];
}

/** Learners of a sheet: so many nobody looks up by hand, and known ones near are looked for among all. */
const MOST_LEARNERS = 5_000;

/** Learners of the scope whom the platform doesn't know, those with the most rows first. Personal. */
export function unknownPeople(ledger: Ledger, scope: Scope, config: Config | null): UnknownPeople {
  const byHash = new Map<string, [UnknownWithNear, ...UnknownWithNear[]]>();
  const lasts: string[] = [];
  for (const one of unknownWithNear(ledger, MOST_LEARNERS, undefined, scope)) {
    const known = byHash.get(one.hash);
    if (known) known.push(one);
    else byHash.set(one.hash, [one]);
    const times = recheckTimes(one.hold, config?.environments[one.environment]?.recheck);
    if (times !== null) lasts.push(times.last);
  }
  return {
    people: [...byHash].map(([hash, all]) => ({ hash, in: all })),
    askedUntil: lasts.sort()[0] ?? null,
  };
}

/** The sheet of learners whom the platform doesn't know. `rows` is how many rows wait for them or were refused. */
export function learnersSheet(
  name: string,
  { people }: UnknownPeople,
  rows: number,
  config: Config | null,
  leftOut: LeftOut,
): Sheet {
  const listed = people.reduce((sum, person) => sum + rowsOf(person), 0);
  if (listed < rows) {
    leftOut.add(
      name,
      'several',
      `${rows - listed} more`,
      'Their learners are beyond those with the most rows, or were erased; registrar map lists who else is unknown.',
    );
  }
  return {
    name,
    columns: COLUMNS,
    rows: people.map((person) => rowOf(person, config)),
    whenFull: 'There are more learners: the rows of the CSV files name them.',
    frozenColumns: 1,
  };
}

const COLUMNS: readonly SheetColumn[] = [
  { header: 'Learner', kind: 'text', widest: 40 },
  {
    header: RIGHT_ADDRESS,
    kind: 'text',
    look: 'fill-in',
    width: 34,
    note: 'Write here under which address or number the platform knows the learner. It then counts for all rows of the learner, and in files to come. Leave it empty where you do not know, or where the account is still to be made: nothing is decided then.',
  },
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

function rowOf(person: Person, config: Config | null): SheetValue[] {
  const [first] = person.in;
  const { learner, example } = first;
  const near = new Map(person.in.flatMap((one) => one.near.map(({ id, why }) => [id, why])));
  const course = example.fields['content-id'];
  return [
    learner.id,
    null,
    [...near].map(([id, why]) => `${id} (${DIFFERENCE_WORDS[why]})`).join('\n'),
    rowsOf(person),
    `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    KINDS[learner.type] ?? learner.type,
    askedAgain(person, config),
    person.hash,
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

/** What tells a near identifier from the unknown one. */
export const DIFFERENCE_WORDS: Readonly<Record<Difference, string>> = {
  punctuation: 'only dots, dashes, zeros or capitals differ',
  'one-letter': 'one letter differs',
  domain: 'another domain',
};
