import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorsOf } from '../../domain/operator-error.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { writeReport } from '../../report/write-report.js';
import type { ActionContext } from '../context.js';
import { report } from '../report.js';

interface ReportFileRequest {
  readonly selection: ReportSelection;
  readonly format: 'xlsx' | 'json' | 'html';
}

/**
 * Writes a report's file into a temporary folder for this user alone; the caller removes it. Throws OperatorError where no row is
 * for a sender or an administrator: then there is no workbook. Personal.
 */
export async function reportFile(context: ActionContext, { selection, format }: ReportFileRequest) {
  const { report: built } = await report(context, { selection, inboxes: false, files: null });
  const folder = await mkdtemp(join(tmpdir(), 'registrar-report-'));
  try {
    const { config, ledger } = context;
    const written = await writeReport(ledger, built, folder, [format], config);
    const paths = { json: join(written.folder, 'report.json'), html: written.page, xlsx: written.guide };
    const path = paths[format];
    if (path === null) throw NOTHING_TO_CORRECT;
    return { folder, path };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const NOTHING_TO_CORRECT = errorsOf('write the correction workbook')(
  'the report',
  'no row in this report is for a sender or an administrator, so it has no correction workbook',
  'Its rows are in the CSV files and in the API.',
);
