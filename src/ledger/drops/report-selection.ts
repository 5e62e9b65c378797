import { sql } from 'kysely';
import { isInRun } from '../leases/runs.js';
import { fileNamed } from './drops.js';

/** The rows that a report covers: those of a run, a source, a file name, a drop or a period, or all rows. */
export interface ReportSelection {
  readonly runId?: number | undefined;
  readonly source?: string | undefined;
  readonly fileName?: string | undefined;
  readonly dropId?: number | undefined;
  /** ISO times: of a drop's publication, or of a refused file's arrival. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Condition on `drop as d`: published, and in the selection. */
export function publishedIn(selection: ReportSelection) {
  return sql<boolean>`d.state = 'published' and ${dropIn(selection)}`;
}

/** Condition on `drop as d`: in the selection, in any state. */
export function dropIn(selection: ReportSelection) {
  return sql<boolean>`${ofRun(selection)} and ${pickedIn(selection)}`;
}

/** Condition on `drop as d`: in the selection, apart from its run. */
export function pickedIn(selection: ReportSelection) {
  return sql<boolean>`${selection.source === undefined ? sql`true` : sql`d.source = ${selection.source}`}
    and ${selection.fileName === undefined ? sql`true` : fileNamed(selection.fileName)}
    and ${selection.dropId === undefined ? sql`true` : sql`d.drop_id = ${selection.dropId}`}
    and ${selection.since === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) >= ${selection.since}`}
    and ${selection.until === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) < ${selection.until}`}`;
}

/** True where the selection has more than a run. */
export function isPicked({ source, fileName, dropId, since, until }: ReportSelection): boolean {
  return [source, fileName, dropId, since, until].some((one) => one !== undefined);
}

/** Condition on `drop as d`: the run imported it. */
export function ofRun({ runId }: ReportSelection) {
  return isInRun('d.run_id', runId);
}
