import { sql } from 'kysely';
import type { SheetLeft, StatedZone } from '../../../domain/drop.js';
import { DROP_NAMED } from '../../drops/drops.js';
import { dropIn, pickedIn, type ReportSelection } from '../../drops/report-selection.js';
import { listOfTexts } from '../../store/dialect.js';
import { all, type Ledger } from '../../store/query.js';
import { countedDrops } from '../submission-counts.js';

/** A drop of a report's list, with facts that only the program needs. */
export type DropSummary = Awaited<ReturnType<typeof dropsIn>>[number];

/** True for a refused file that isn't closed. */
export function isUnresolvedRefusal({ state, closure }: Pick<DropSummary, 'state' | 'closure'>): boolean {
  return state === 'refused' && closure === null;
}

/** The selection's drops as imported; for a run, also those whose file arrived again or was found changed. */
export async function dropsIn(ledger: Ledger, selection: ReportSelection) {
  const again =
    selection.runId === undefined
      ? sql`false`
      : sql`(${pickedIn(selection)} and d.drop_id in (select drop_id from arrival where run_id = ${selection.runId}
          union all select drop_id from changed_file where run_id = ${selection.runId}))`;
  const drops = await ledger.db
    .selectFrom('drop_file as d')
    .select([...DROP_NAMED, 'd.state', 'd.rows_read as rows', 'd.refusal', ...DESCRIPTION])
    .select(sql<number>`${dropIn(selection)}`.as('isTaken'))
    .where(sql<boolean>`(${dropIn(selection)} or ${again})`)
    .orderBy('d.drop_id')
    .execute();
  const repeats = new Map((await all(ledger, repeatsIn(selection))).map((one) => [one.dropId, one]));
  return (await countedDrops(ledger, drops)).map(({ isTaken, file, ...drop }) => {
    const { count = 0, names = '[]' } = repeats.get(drop.drop) ?? {};
    const repeatedNames = JSON.parse(names) as string[];
    // The sender who dropped the file again looks for its present name.
    const isListedAsFirst = isTaken === 1 || repeatedNames.includes(file);
    return {
      ...describedDrop(drop),
      file: isListedAsFirst ? file : (repeatedNames[0] ?? file),
      /** False for a drop that the run did not import: its file arrived again, or was found changed. */
      isTaken: isTaken === 1,
      firstFile: file,
      repeatedArrivals: count,
      repeatedNames,
    };
  });
}

/** A drop's arrivals after its first one and its publication: earlier ones resumed its staging. */
const repeatsIn = (selection: ReportSelection) =>
  sql<{ dropId: number; count: number; names: string }>`
    select d.drop_id as "dropId", count(*) as count, ${listOfTexts(sql.ref('a.file_name'))} as names
    from arrival a join drop_file d on d.drop_id = a.drop_id
    where ${pickedIn(selection)} and a.arrived_at >= d.published_at
      and ${selection.runId === undefined ? sql`true` : sql`a.run_id = ${selection.runId}`}
      and a.arrival_id > (select min(f.arrival_id) from arrival f where f.drop_id = d.drop_id)
    group by d.drop_id`;

/** The columns of `drop_file as d` that `describedDrop` reads. */
export const DESCRIPTION = [
  'd.header',
  'd.hidden_rows as hiddenRows',
  'd.sheets_left as sheetsLeft',
  'd.zones',
  sql<string | null>`(select min(noticed_at) from changed_file c where c.drop_id = d.drop_id)`.as(
    'changedAt',
  ),
] as const;

type Described = Readonly<Record<'header' | 'zones' | 'sheetsLeft', string | null>>;

/** Parses these columns of a row, and passes on its others. Personal: a file without a header has a row of data there. */
export function describedDrop<Row extends Described>({ header, sheetsLeft, zones, ...others }: Row) {
  return {
    ...others,
    header: JSON.parse(header ?? '[]') as readonly string[],
    sheetsLeft: JSON.parse(sheetsLeft ?? '[]') as readonly SheetLeft[],
    zones: JSON.parse(zones ?? '[]') as readonly StatedZone[],
  };
}
