import type { Config } from '../../config/schema.js';
import { grouped } from '../../domain/grouped.js';
import type { Learner } from '../../domain/learners/learner.js';
import { type UnknownLearner, unknownLearners } from '../../ledger/books/unknown-learners.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { recheckTimes } from '../status/recheck-times.js';
import { dayText } from '../text/local-time.js';
import { terms } from '../words/terms.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import { workbookWords } from './workbook-words.js';

/** Unknown learners, each once, even where several environments don't know a learner. */
export interface UnknownPeople {
  /** At most the 5,000 with the most rows. */
  readonly people: readonly Person[];
  readonly rows: number;
  /** The earliest of the last days on which Registrar checks a learner again by itself; null where it checks none any more. */
  readonly askedUntil: string | null;
}

interface Person {
  readonly hash: string;
  /** null where nothing names the learner. */
  readonly learner: Learner | null;
  readonly in: readonly UnknownLearner[];
}

/**
 * The maximum of learners on a sheet: more are too many to look up by hand, and for each one all known learners are searched
 * for similar ones.
 */
const MAX_LEARNERS = 5_000;

/** Learners of the selection whom the platform doesn't know, those with the most rows first. Personal. */
export async function unknownPeople(
  ledger: Ledger,
  selection: ReportSelection,
  config: Config | null,
): Promise<UnknownPeople> {
  const { listed } = await unknownLearners(ledger, selection, MAX_LEARNERS);
  const unknown = grouped(listed, ({ hash }) => hash);
  const lasts = [...unknown.values()].flat().flatMap(({ hold, environment }) => {
    const times = recheckTimes(hold, config?.environments[environment]?.recheck);
    return times === null ? [] : [times.last];
  });
  const people = [...unknown].map(
    ([hash, all]): Person => ({ hash, learner: all[0]?.learner ?? null, in: all }),
  );
  const rows = people.reduce((sum, person) => sum + rowsOf(person), 0);
  return { people, rows, askedUntil: lasts.sort()[0] ?? null };
}

export function learnersSheet(name: string, { people }: UnknownPeople, config: Config | null): Sheet {
  return {
    name,
    columns: workbookWords().learners,
    rows: people.map((person) => rowOf(person, config)),
    whenFull: 'There are more learners: the rows of the CSV files name them.',
    frozenColumns: 1,
  };
}

function rowOf(person: Person, config: Config | null): SheetValue[] {
  const { hash, learner } = person;
  const near = new Map(person.in.flatMap((part) => part.near.map(({ id, why }) => [id, why])));
  const example = person.in[0]?.example;
  const course = example?.fields['content-id'];
  return [
    learner?.id ?? null,
    null,
    [...near].map(([id, difference]) => `${id} (${terms().differences[difference]})`).join('\n'),
    rowsOf(person),
    example === undefined
      ? ''
      : `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    learner === null ? '' : (workbookWords().kinds[learner.type] ?? learner.type),
    askedAgain(person, config),
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
