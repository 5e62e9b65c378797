import { sql } from 'kysely';
import type { SheetLeft, ZoneSaid } from '../../../domain/drop.js';
import type { ControlFinding } from '../../../domain/files/control-totals.js';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { Disposition } from '../../../domain/row.js';
import type { State } from '../../../domain/submission.js';
import { dropDispositions } from '../../drops/dispositions.js';
import { DROP_NAMED } from '../../drops/drops.js';
import { type Closure, closureOf } from '../../drops/refused/refused-drops.js';
import { dropIn, pickedIn, type ReportSelection } from '../../drops/report-selection.js';
import { listOfTexts } from '../../store/dialect.js';
import { all, type Ledger, query } from '../../store/query.js';
import { statesOfDrops } from '../submission-counts.js';

/** One drop as a report lists it. */
export interface DropSummary {
  readonly dropId: number;
  readonly source: string;
  /** Its name; in the report of a run in which its bytes only came in again, the name that they had then. */
  readonly file: string;
  /** False for a drop that the run did not take in: its bytes came in once more, or its file was found changed. */
  readonly isTaken: boolean;
  /** The name that it first came in under. */
  readonly firstFile: string;
  readonly sha256: string;
  readonly state: 'staging' | 'published' | 'refused';
  /** null unless published. */
  readonly rowsRead: number | null;
  /** Rows of data among them that their sheet hides. */
  readonly hiddenRows: number;
  /** Visible sheets of its workbook that are part of no drop. */
  readonly sheetsLeft: readonly SheetLeft[];
  /** What the file says about the zone of its times. */
  readonly zones: readonly ZoneSaid[];
  /** Why it was refused; null otherwise. */
  readonly refusal: string | null;
  /** How it was closed after it was refused; null while it is open, and for the others. */
  readonly closure: Closure | null;
  /**
   * How its control totals compared; null unless published, and where the source declares no number of rows.
   */
  readonly control: ControlFinding | null;
  readonly header: readonly string[];
  readonly dispositions: Readonly<Record<Disposition, number>>;
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Times its bytes came in again after they counted; for a run, while it ran. */
  readonly repeatedArrivals: number;
  /** The names of these later arrivals, each once. */
  readonly repeatedNames: readonly string[];
  /** When a run first found that the file had changed after it was taken in; null: none has. */
  readonly changedAt: string | null;
}

/** True for a file that was set aside as a whole and not closed since. */
export function isSetAside({ state, closure }: Pick<DropSummary, 'state' | 'closure'>): boolean {
  return state === 'refused' && closure === null;
}

/** The selection's drops in the order they were taken, and for a run also those whose bytes came in again or were found changed. */
export async function dropsIn(ledger: Ledger, selection: ReportSelection): Promise<DropSummary[]> {
  const again =
    selection.runId === undefined
      ? sql`false`
      : sql`(${pickedIn(selection)} and d.drop_id in (select drop_id from arrival where run_id = ${selection.runId}
          union all select drop_id from changed_file where run_id = ${selection.runId}))`;
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        ...DROP_NAMED,
        'd.state',
        'd.rows_read as rowsRead',
        'd.hidden_rows as hiddenRows',
        'd.sheets_left as sheetsLeft',
        'd.zones',
        'd.refusal',
        'd.header',
        'd.control',
        'd.expected_min as min',
        'd.expected_max as max',
        // The expected number is about the rows of all sheets of the file.
        sql<number>`(select sum(o.staged + o.duplicate + o.amended + o.invalid + o.skipped) from drop_file o
          where o.source = d.source and o.sha256 = d.sha256 and o.state = 'published')`.as('read'),
        sql<number>`(select count(*) ${repeats(selection)})`.as('repeatedArrivals'),
        sql<string>`(select ${listOfTexts(sql.ref('a.file_name'))} ${repeats(selection)})`.as(
          'repeatedNames',
        ),
        sql<string | null>`(select min(noticed_at) from changed_file c where c.drop_id = d.drop_id)`.as(
          'changedAt',
        ),
        sql<number>`${dropIn(selection)}`.as('isTaken'),
      ])
      .where(sql<boolean>`(${dropIn(selection)} or ${again})`)
      .orderBy('d.drop_id'),
  );
  const states = await statesOfDrops(
    ledger,
    drops.map(({ dropId }) => dropId),
  );
  return inTurn(
    drops,
    async ({ header, control, min, max, read, isTaken, file, sheetsLeft, zones, ...drop }) => {
      const repeatedNames = JSON.parse(drop.repeatedNames) as string[];
      // The person who dropped the file again looks for the name that it had this time.
      const isListedAsFirst = isTaken === 1 || repeatedNames.includes(file);
      return {
        ...drop,
        file: isListedAsFirst ? file : (repeatedNames[0] ?? file),
        isTaken: isTaken === 1,
        firstFile: file,
        repeatedNames,
        control: control === null || drop.state !== 'published' ? null : { state: control, min, max, read },
        sheetsLeft: sheetsLeft === null ? [] : (JSON.parse(sheetsLeft) as SheetLeft[]),
        zones: JSON.parse(zones ?? '[]') as ZoneSaid[],
        header: header === null ? [] : (JSON.parse(header) as string[]),
        closure: drop.state === 'refused' ? await closureOf(ledger, drop.dropId) : null,
        dispositions: await dropDispositions(ledger, drop.dropId),
        states: states.get(drop.dropId) ?? {},
      };
    },
  );
}

/**
 * Arrivals `a` of `drop as d` that brought nothing new: the first arrival brought the drop, and those before it was published
 * resumed it.
 */
function repeats({ runId }: ReportSelection) {
  return sql`from arrival a where a.drop_id = d.drop_id
    and a.arrived_at >= d.published_at
    and a.arrival_id > (select min(arrival_id) from arrival where drop_id = d.drop_id)
    and a.run_id = ${runId ?? sql`a.run_id`}`;
}
