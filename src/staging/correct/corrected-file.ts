import type { SourceConfig } from '../../config/schema.js';
import { issueOf, issueText, type Refused, refused } from '../../domain/issue.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import { uploadsOf } from '../../ledger/access/audit-log.js';
import { type CorrectionIssue, findCorrectedFile } from '../../ledger/decisions/corrected-rows.js';
import type { DropFacts } from '../../ledger/drops/drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';
import { settingsInQuestion } from '../key-settings.js';
import { refusePlan, type StagedFile } from '../refuse-file.js';
import type { StageResult } from '../stage-context.js';
import { type RowCorrections, readCorrectedRows } from './corrected-rows.js';
import { type LearnerCorrections, readRightAddresses } from './right-addresses.js';

/** A sheet of a corrected file, as it was read. Personal. */
export type SheetCorrections = RowCorrections | LearnerCorrections;

/** A corrected file, as it was read. Personal. */
export type CorrectedFile = Awaited<ReturnType<typeof readCorrectedFile>>;

/**
 * Imports a corrected file from processing/. The corrections become decisions, which are recorded together with the
 * file's arrival in one transaction and then carried out. Where a part can't be carried out and is shown nowhere
 * else, the file is also refused, with that reason. The same bytes are decided again only if they were refused.
 */
export async function importCorrectedFile(
  opened: OpenedDrop,
  sheets: readonly CorrectionSheet[],
  drop: DropFacts,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const { ledger, allSources, who, isResumed, source, runId, correct } = file.context;
  const { sha256 } = drop.identity;
  const earlier = await findCorrectedFile(ledger, sha256, drop);
  if (earlier !== null && (earlier.refusedFiles === null || isResumed)) {
    return [
      { kind: 'corrected', decisionId: earlier.decisionId, isRepeat: !isResumed },
      ...(earlier.refusedFiles === null
        ? []
        : [{ kind: 'refused' as const, sentence: earlier.refusedFiles.sentence }]),
    ];
  }
  const read = await readCorrectedFile(opened, sheets, ledger, allSources);
  if (read.sheets.length === 0) {
    return [await refusePlan({ kind: 'refused', issues: read.refused }, drop, opened.format, file)];
  }
  const { issues, toRepair } = leftOfFile(read);
  const [first] = toRepair;
  const text = refusalText(toRepair);
  const arrival = { sha256, fileName: drop.fileName, source: source.name, runId };
  const refusedDrop = { ...drop, format: opened.format };
  const refusal = first === undefined ? null : { drop: refusedDrop, why: { code: first.code, text } };
  // The account that runs Registrar decides only where it isn't known who uploaded the file.
  const [uploader] = await uploadsOf(ledger, { source: source.name, sha256 });
  const decisionId = await correct({
    rows: read.sheets.flatMap(({ rows }) =>
      rows.flatMap(({ of, cells, applies }) => (of === null || applies === null ? [] : [{ ...of, cells }])),
    ),
    mappings: read.sheets.flatMap((sheet) => (sheet.kind === 'addresses' ? sheet.mappings : [])),
    who: uploader === undefined ? who : { name: uploader.name, door: who.door },
    because: drop.fileName,
    file: { ...arrival, issues, refusal },
  });
  const result = { kind: 'corrected', decisionId, isRepeat: false } as const;
  return refusal === null ? [result] : [result, { kind: 'refused', sentence: text }];
}

/** Reads each sheet of a corrected file separately: an unreadable sheet doesn't stop the others. Writes nothing. */
export async function readCorrectedFile(
  opened: OpenedDrop,
  sheets: readonly CorrectionSheet[],
  ledger: Ledger,
  sources: readonly SourceConfig[],
) {
  const read: SheetCorrections[] = [];
  const refused: CorrectionIssue[] = [];
  for (const sheet of sheets) {
    const result = await readSheet(opened, sheet, ledger, sources);
    if (result.kind !== 'refused') read.push(result);
    else
      for (const issue of result.issues)
        refused.push({ ...issue, sheet: sheet.sheet, line: sheet.headerLine });
  }
  return { sheets: read, refused };
}

async function readSheet(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  ledger: Ledger,
  sources: readonly SourceConfig[],
): Promise<SheetCorrections | Refused> {
  if (sheet.of === 'learners') return readRightAddresses(opened, sheet, ledger);
  const reading = await readCorrectedRows(opened, sheet, ledger, sources);
  const inQuestion = reading.kind === 'rows' ? await settingsInQuestion(ledger, reading.source) : null;
  if (inQuestion === null) return reading;
  // Settings that must be confirmed stop only this sheet.
  const { message, hint: remedy } = inQuestion;
  return refused(issueOf('attention-drop-unknown', null, message, remedy));
}

/**
 * The parts of a corrected file that can't be carried out, in its order; `toRepair` those among them that are shown nowhere else, so
 * that the file needs attention: invalid rows, and sheets. Personal.
 */
function leftOfFile({ sheets, refused }: CorrectedFile) {
  const issues: CorrectionIssue[] = [...refused];
  const toRepair: CorrectionIssue[] = [...refused];
  for (const { sheet, rows } of sheets) {
    for (const { line, row, applies, isUnchanged } of rows) {
      if (applies !== null || (row.kind !== 'invalid' && (row.kind !== 'skipped' || isUnchanged))) continue;
      const own = row.issues.map((issue) => ({ ...issue, sheet, line }));
      issues.push(...own);
      if (row.kind === 'invalid') toRepair.push(...own);
    }
  }
  return { issues, toRepair };
}

function refusalText(toRepair: readonly CorrectionIssue[]): string {
  const shown = toRepair.slice(0, SHOWN).map((issue) => {
    const place = issue.sheet === null ? `Line ${issue.line}` : `Line ${issue.line} of sheet ${issue.sheet}`;
    return `${place}: ${issueText(issue)}`;
  });
  return [...shown, ...(toRepair.length > SHOWN ? [`And ${toRepair.length - SHOWN} more.`] : [])].join(' ');
}

const SHOWN = 20;
