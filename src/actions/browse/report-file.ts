import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { writeReport } from '../../report/write-report.js';
import type { ActionContext } from '../context.js';
import { report } from '../report.js';

/** A report as one file, in full: for people who may see the rows. */
export interface ReportFileAsked {
  readonly selection: ReportSelection;
  readonly format: 'xlsx' | 'json';
}

/** A written file. Whoever has sent it removes the folder. */
export interface ReportFile {
  readonly path: string;
  /** A folder of its own below the system's for temporary files, which only this user may read. */
  readonly folder: string;
}

/** Writes a report's file into a temporary folder. Personal. */
export async function reportFile(
  context: ActionContext,
  { selection, format }: ReportFileAsked,
): Promise<ReportFile> {
  const { report: found } = await report(context, { selection, inboxes: false, files: null });
  const folder = await mkdtemp(join(tmpdir(), 'registrar-report-'));
  try {
    const { config, ledger } = context;
    const written = await writeReport(ledger, found, folder, [format], { config });
    return { folder, path: join(written.folder, `report.${format}`) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
