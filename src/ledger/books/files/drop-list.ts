import { sql } from 'kysely';
import type { SheetLeft } from '../../../domain/drop.js';
import { DROP_NAMED } from '../../drops/drops.js';
import { dropIn, pickedIn, type ReportSelection } from '../../drops/report-selection.js';
import { listOfTexts } from '../../store/dialect.js';
import type { Ledger } from '../../store/query.js';
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
    .select(sql<number>`(select count(*) ${repeats(selection)})`.as('repeatedArrivals'))
    .select(
      sql<string>`(select ${listOfTexts(sql.ref('a.file_name'))} ${repeats(selection)})`.as('repeatedNames'),
    )
    .select(sql<number>`${dropIn(selection)}`.as('isTaken'))
    .where(sql<boolean>`(${dropIn(selection)} or ${again})`)
    .orderBy('d.drop_id')
    .execute();
  return (await countedDrops(ledger, drops)).map(({ isTaken, file, ...row }) => {
    const drop = describedDrop(row);
    const repeatedNames = JSON.parse(drop.repeatedNames) as string[];
    // The sender who dropped the file again looks for its present name.
    const isListedAsFirst = isTaken === 1 || repeatedNames.includes(file);
    return {
      ...drop,
      file: isListedAsFirst ? file : (repeatedNames[0] ?? file),
      /** False for a drop that the run did not import: its file arrived again, or was found changed. */
      isTaken: isTaken === 1,
      firstFile: file,
      repeatedNames,
    };
  });
}

/** Arrivals `a` of `drop as d` after its first one and its publication: earlier ones resumed its staging. */
function repeats({ runId }: ReportSelection) {
  return sql`from arrival a where a.drop_id = d.drop_id
    and a.arrived_at >= d.published_at
    and a.arrival_id > (select min(arrival_id) from arrival where drop_id = d.drop_id)
    and a.run_id = ${runId ?? sql`a.run_id`}`;
}

/** The columns of `drop_file as d` that `describedDrop` reads. */
export const DESCRIPTION = [
  'd.header',
  'd.hidden_rows as hiddenRows',
  'd.sheets_left as sheetsLeft',
  sql<string | null>`(select min(noticed_at) from changed_file c where c.drop_id = d.drop_id)`.as(
    'changedAt',
  ),
] as const;

type Described = Readonly<Record<'header' | 'sheetsLeft', string | null>>;

/** Parses these columns of a row, and passes on its others. Personal: a file without a header has a row of data there. */
export function describedDrop<Row extends Described>({ header, sheetsLeft, ...others }: Row) {
  return {
    ...others,
    header: JSON.parse(header ?? '[]') as readonly string[],
    sheetsLeft: JSON.parse(sheetsLeft ?? '[]') as readonly SheetLeft[],
  };
}
