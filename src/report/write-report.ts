import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/schema.js';
import { visibleLines } from '../domain/text/visible-text.js';
import type { Ledger } from '../ledger/store/query.js';
import { replaceFile, syncFolder, writeFileAtomic } from '../workspace/files/durable.js';
import { makeFolder } from '../workspace/files/entries.js';
import { fitFileName } from '../workspace/files/file-name.js';
import { correctionWorkbookName, writeCorrectionWorkbook } from './corrections/write-correction-workbook.js';
import { readPageFacts } from './page/facts.js';
import { htmlPage } from './page/html-page.js';
import { needsCorrectionWorkbook, type Report, renderJson } from './report.js';
import { REPORT_FORMATS, type ReportFormat } from './report-formats.js';
import { renderTerminal } from './terminal.js';
import { maskAddresses } from './words/mask.js';
import { acceptedCsv, attentionCsv, needsAttention } from './write-drop-csv.js';

const PAGE_FILE = 'report.html';

export interface WrittenReport {
  readonly folder: string;
  /** The page that people open first; null: none was requested. */
  readonly page: string | null;
  /** The correction workbook; null where no row is for a sender or an administrator, or no table was requested. */
  readonly workbook: string | null;
}

/**
 * Writes a report's files into a folder of its own below `parent`: report.txt, report.json, report.html, for each drop
 * a CSV file of accepted rows and one of rows that need attention, as far as it has any, and the correction workbook where a sender or
 * an administrator has to act. Each file appears whole or not at all.
 */
export async function writeReport(
  ledger: Ledger,
  report: Report,
  parent: string,
  formats: readonly ReportFormat[] = REPORT_FORMATS,
  config: Config | null = null,
): Promise<WrittenReport> {
  const folder = await makeReportFolder(parent, report);
  if (formats.includes('terminal')) {
    await writeFileAtomic(join(folder, 'report.txt'), visibleLines(renderTerminal(report, null, null)));
  }
  if (formats.includes('json')) {
    const document = JSON.stringify(renderJson(report), null, 2);
    await writeFileAtomic(join(folder, 'report.json'), `${visibleLines(document)}\n`);
  }
  if (formats.includes('csv')) {
    for (const drop of report.files) {
      if (drop.state !== 'published') continue;
      const path = (suffix: string) => join(folder, fileName(drop.drop, drop.file, suffix));
      if (drop.states.accepted) await writeLines(path('.accepted.csv'), acceptedCsv(ledger, drop));
      if (needsAttention(drop)) await writeLines(path('.attention.csv'), attentionCsv(ledger, drop));
    }
    await syncFolder(folder);
  }
  const hasWorkbook =
    (formats.includes('csv') || formats.includes('xlsx')) && needsCorrectionWorkbook(report);
  const workbookFile = hasWorkbook ? correctionWorkbookName(report.selection) : null;
  if (workbookFile !== null) {
    await replaceFile(join(folder, workbookFile), async (temporary) =>
      writeCorrectionWorkbook(temporary, ledger, report, config),
    );
  }
  if (formats.includes('html')) {
    const names = new Map(report.causes.flatMap(({ drops }) => drops).map(({ drop, file }) => [drop, file]));
    const attentionFile = formats.includes('csv')
      ? (dropId: number) => fileName(dropId, names.get(dropId) ?? '', '.attention.csv')
      : null;
    const otherFiles = [
      ...(formats.includes('json') ? ['report.json'] : []),
      ...(formats.includes('terminal') ? ['report.txt'] : []),
    ];
    const facts = await readPageFacts(ledger, report, { config, attentionFile, workbookFile, otherFiles });
    await writeFileAtomic(join(folder, PAGE_FILE), htmlPage(facts));
  }
  return {
    folder,
    page: formats.includes('html') ? join(folder, PAGE_FILE) : null,
    workbook: workbookFile === null ? null : join(folder, workbookFile),
  };
}

/** A run's report replaces its report of the same second; any other one gets a number behind its time. */
async function makeReportFolder(parent: string, { at, selection }: Report): Promise<string> {
  // Folders sort by their time.
  const time = at.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
  const first = join(parent, selection.runId === undefined ? time : `${time}-run-${selection.runId}`);
  await makeFolder(parent);
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? first : `${first}-${number}`;
    const isNew = await makeFolder(folder);
    if (isNew || selection.runId !== undefined) return folder;
  }
}

/** Writes the lines as they are read from the ledger, so that memory stays the same however many rows there are. */
export function writeLines(path: string, lines: AsyncGenerator<string>): Promise<void> {
  const write = (temporary: string) =>
    pipeline(Readable.from(lines), createWriteStream(temporary, { flags: 'r+' }));
  return replaceFile(path, write, true);
}

/**
 * Two drops may have one file name, so the drop's number comes first, as in archive/. The name is left out where it holds an
 * address: the page, which is passed on, names these files.
 */
function fileName(dropId: number, file: string, suffix: string): string {
  if (maskAddresses(file) !== file) return `${dropId}${suffix}`;
  const stem = file.replace(/\.[^.]{1,5}$/, '');
  return fitFileName(`${dropId}-`, stem, suffix);
}
