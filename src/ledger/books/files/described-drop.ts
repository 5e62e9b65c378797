import { sql } from 'kysely';
import type { SheetLeft, ZoneSaid } from '../../../domain/drop.js';
import type { ControlFinding } from '../../../domain/files/control-totals.js';

/** The columns of `drop_file as d` that `describedDrop` reads. */
export const DESCRIPTION = [
  'd.header',
  'd.hidden_rows as hiddenRows',
  'd.sheets_left as sheetsLeft',
  'd.zones',
  'd.control',
  'd.expected_min as min',
  'd.expected_max as max',
  // The expected number is about the rows of all sheets of the file.
  sql<number>`(select coalesce(sum(o.staged + o.duplicate + o.amended + o.invalid + o.skipped), 0) from drop_file o
    where o.source = d.source and o.sha256 = d.sha256 and o.state = 'published')`.as('read'),
  sql<string | null>`(select min(noticed_at) from changed_file c where c.drop_id = d.drop_id)`.as(
    'changedAt',
  ),
] as const;

interface Described {
  readonly header: string | null;
  readonly sheetsLeft: string | null;
  readonly zones: string | null;
  readonly control: ControlFinding['state'] | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly read: number;
}

/** A row of these columns, with the others that were selected. The header of a file without one is somebody's row: personal. */
export function describedDrop<Row extends Described>(
  { header, sheetsLeft, zones, control, min, max, read, ...others }: Row,
  isPublished: boolean,
) {
  return {
    ...others,
    header: JSON.parse(header ?? '[]') as readonly string[],
    sheetsLeft: JSON.parse(sheetsLeft ?? '[]') as readonly SheetLeft[],
    zones: JSON.parse(zones ?? '[]') as readonly ZoneSaid[],
    control: control === null || !isPublished ? null : { state: control, min, max, read },
  };
}
