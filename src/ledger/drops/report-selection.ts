import { sql } from 'kysely';
import { isInRun } from '../leases/runs.js';
import { fileNamed } from './drops.js';

/** Which rows a report is about: those of a run, a source, a file name or a span of time, or all rows. */
export interface ReportSelection {
  readonly runId?: number | undefined;
  readonly source?: string | undefined;
  readonly fileName?: string | undefined;
  /** ISO times; a drop counts by when it was published, a refused one by when it was taken. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Condition on `drop as d`: published, and in the selection. */
export function publishedIn(selection: ReportSelection) {
  return sql<boolean>`d.state = 'published' and ${dropIn(selection)}`;
}

/** Condition on `drop as d`, whatever its state. */
export function dropIn(selection: ReportSelection) {
  return sql<boolean>`${ofRun(selection)} and ${pickedIn(selection)}`;
}

/** Condition on `drop as d`: all of the selection but its run. */
export function pickedIn(selection: ReportSelection) {
  return sql<boolean>`${selection.source === undefined ? sql`true` : sql`d.source = ${selection.source}`}
    and ${selection.fileName === undefined ? sql`true` : fileNamed(selection.fileName)}
    and ${selection.since === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) >= ${selection.since}`}
    and ${selection.until === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) < ${selection.until}`}`;
}

/** True when the selection names more than a run. */
export function isPicked({ source, fileName, since, until }: ReportSelection): boolean {
  return [source, fileName, since, until].some((one) => one !== undefined);
}

/** Condition on `drop as d`: the run took it in. */
export function ofRun({ runId }: ReportSelection) {
  return isInRun('d.run_id', runId);
}
