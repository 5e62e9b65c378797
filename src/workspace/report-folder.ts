/**
 * The name of a report's own folder: it sorts by time and names the report's run, if there is one.
 * @param at ISO time.
 */
export function reportFolderName(at: string, runId: number | undefined): string {
  const time = at.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
  return runId === undefined ? time : `${time}-run-${runId}`;
}

/** True for the name of a run's report, which exists only where there has been a ledger. */
export function isRunReport(name: string): boolean {
  return /-run-\d+$/.test(name);
}
