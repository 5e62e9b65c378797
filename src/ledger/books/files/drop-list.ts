import { sql } from 'kysely';
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
import { DESCRIPTION, type DescribedDrop, describedDrop } from './described-drop.js';

/** One drop as a report lists it. */
export interface DropSummary extends DescribedDrop {
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
  /** Why it was refused; null otherwise. */
  readonly refusal: string | null;
  /** How it was closed after it was refused; null while it is open, and for the others. */
  readonly closure: Closure | null;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Times its bytes came in again after they counted; for a run, while it ran. */
  readonly repeatedArrivals: number;
  /** The names of these later arrivals, each once. */
  readonly repeatedNames: readonly string[];
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
        'd.refusal',
        ...DESCRIPTION,
        sql<number>`(select count(*) ${repeats(selection)})`.as('repeatedArrivals'),
        sql<string>`(select ${listOfTexts(sql.ref('a.file_name'))} ${repeats(selection)})`.as(
          'repeatedNames',
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
  return inTurn(drops, async ({ isTaken, file, ...row }) => {
    const drop = describedDrop(row, row.state === 'published');
    const repeatedNames = JSON.parse(drop.repeatedNames) as string[];
    // The person who dropped the file again looks for the name that it had this time.
    const isListedAsFirst = isTaken === 1 || repeatedNames.includes(file);
    return {
      ...drop,
      file: isListedAsFirst ? file : (repeatedNames[0] ?? file),
      isTaken: isTaken === 1,
      firstFile: file,
      repeatedNames,
      closure: drop.state === 'refused' ? await closureOf(ledger, drop.dropId) : null,
      dispositions: await dropDispositions(ledger, drop.dropId),
      states: states.get(drop.dropId) ?? {},
    };
  });
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
