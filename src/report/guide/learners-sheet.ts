import type { Config } from '../../config/schema.js';
import { grouped } from '../../domain/grouped.js';
import { unknownLearners } from '../../ledger/books/unknown-learners.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { nextRecheck } from '../status/next-recheck.js';
import { localTime } from '../text/local-time.js';
import { terms } from '../words/terms.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import { workbookWords } from './workbook-words.js';

/** Unknown learners, each once, even where several environments don't know a learner. */
export type UnknownPeople = Awaited<ReturnType<typeof unknownPeople>>;

/** More are too many to look up by hand, and for each one all known learners are searched for similar ones. */
const MAX_LEARNERS = 5_000;

/** Learners of the selection whom the platform doesn't know, those with the most rows first. Personal. */
export async function unknownPeople(ledger: Ledger, selection: ReportSelection, config: Config | null) {
  const { listed } = await unknownLearners(ledger, selection, MAX_LEARNERS);
  const people = [...grouped(listed, ({ hash }) => hash)].map(([hash, all]) => ({
    hash,
    learner: all[0]?.learner ?? null,
    unknown: all,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    nextRecheck: all
      .flatMap(({ hold, environment }) => nextRecheck(hold, config?.environments[environment]?.recheck) ?? [])
      .sort()[0],
  }));
  return { people, rows: people.reduce((sum, { rows }) => sum + rows, 0) };
}

export function learnersSheet(name: string, { people }: UnknownPeople): Sheet {
  return {
    name,
    columns: workbookWords().learners,
    rows: people.map(rowOf),
  };
}

function rowOf(person: UnknownPeople['people'][number]): SheetValue[] {
  const { hash, learner, rows, nextRecheck: next, unknown } = person;
  const near = new Map(unknown.flatMap((part) => part.near.map(({ id, why }) => [id, why])));
  const example = unknown[0]?.example;
  const course = example?.fields['content-id'];
  return [
    learner?.id ?? null,
    null,
    [...near].map(([id, difference]) => `${id} (${terms().differences[difference]})`).join('\n'),
    rows,
    example === undefined
      ? ''
      : `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    learner === null ? '' : (workbookWords().kinds[learner.type] ?? learner.type),
    next === undefined ? 'no more by itself' : localTime(next),
    hash,
  ];
}
