import { join } from 'node:path';
import type { Config } from '../../config/schema.js';
import { type ResultFile, resultName } from '../../domain/files/result.js';
import type { Refusal } from '../../domain/issue.js';
import { dataRows } from '../../domain/row.js';
import { visibleLines } from '../../domain/text/visible-text.js';
import { acceptedRows, attentionRows, type ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import { withSnapshot } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { VERSION } from '../../version.js';
import { replaceFile, writeFileAtomic } from '../../workspace/files/durable.js';
import { suggestedName } from '../../workspace/inbox/file-name-mistake.js';
import { writeCorrectionWorkbook } from '../corrections/write-correction-workbook.js';
import { fieldsOf, fieldText } from '../read-fields.js';
import { needsCorrectionWorkbook, type Report, reconcile } from '../report.js';
import { senderRow } from '../words/causes.js';
import { csvTable } from '../write-drop-csv.js';
import { writeLines } from '../write-report.js';

/** What a program of the sender reads of a file's result; docs/sources.md explains it. */
export type ResultDocument = ReturnType<typeof documentOf>;

interface KnownOfResult {
  /** Of the refusal; null: the drop was imported. */
  readonly code: Refusal['code'] | null;
  /** ISO time of the import or the refusal. */
  readonly importedAt: string;
}

/** `files`: on this machine, with the name that each gets at the target, the JSON document last. */
export type WrittenResult = NonNullable<Awaited<ReturnType<typeof writeResult>>>;

/**
 * Writes the result of an imported or refused drop into a folder, from one snapshot of the ledger, so that its counts are those of
 * its files. Memory stays the same however many rows there are.
 * @returns null: the drop is imported again at this moment.
 */
export function writeResult(
  ledger: Ledger,
  { drop: dropId, ...facts }: { readonly drop: number } & KnownOfResult,
  folder: string,
  config: Config,
) {
  return withSnapshot(ledger, async (snapshot) => {
    const report = await reconcile(snapshot, { dropId });
    const [summary] = report.files;
    if (summary === undefined) throw new Error(`there is no drop ${dropId}`);
    if (summary.state === 'staging') return null;
    const files: { name: string; path: string }[] = [];
    const write = async (which: ResultFile, into: (path: string) => Promise<void>) => {
      const path = join(folder, which);
      await into(path);
      files.push({ name: resultName(suggestedName(summary.file) || 'file', dropId, which), path });
    };
    // A refused drop has no rows.
    for (const drop of report.drops) {
      await write('accepted.csv', (path) => writeLines(path, acceptedTable(snapshot, drop)));
      await write('refused.csv', (path) => writeLines(path, refusedTable(snapshot, drop)));
      if (!needsCorrectionWorkbook(report)) continue;
      await write('attention.xlsx', (path) =>
        replaceFile(path, (temporary) => writeCorrectionWorkbook(temporary, snapshot, report, config), true),
      );
    }
    const document = documentOf(
      report,
      { ...summary, ...facts },
      files.map(({ name }) => name),
    );
    await write('json', (path) =>
      writeFileAtomic(path, `${visibleLines(JSON.stringify(document, null, 2))}\n`, true),
    );
    return { document, files };
  });
}

function documentOf(
  { at, balanced, dispositions, states, attentionRows, drops }: Report,
  { source, file, drop, sha256, refusal, code, importedAt }: Report['files'][number] & KnownOfResult,
  files: readonly string[],
) {
  return {
    registrar: VERSION,
    source,
    file,
    sheet: drops[0]?.sheet ?? null,
    drop,
    sha256,
    importedAt,
    at,
    code,
    refusal,
    balanced,
    rows: dataRows(dispositions),
    accepted: states.accepted,
    refused: attentionRows,
    waiting: states.waiting + states.sending,
    dispositions,
    states,
    files,
  };
}

const ACCEPTED_COLUMNS = [
  ...['file', 'line', 'learner', 'content', 'completed_at'],
  ...['accepted_at', 'platform_id'],
] as const;

const REFUSED_COLUMNS = [
  ...['file', 'line', 'learner', 'content'],
  ...['cause', 'remedy', 'platform_says'],
] as const;

/** The records of a drop that the platform accepted, as CSV text piece by piece. Personal. */
function acceptedTable(ledger: Ledger, drop: ListedDrop): AsyncGenerator<string> {
  return csvTable(ACCEPTED_COLUMNS, rows());

  async function* rows() {
    for await (const { line, record, cells, acceptedAt, platformId } of acceptedRows(ledger, drop.drop)) {
      const fields = fieldsOf({ ...drop, record, cells });
      const [learner, content] = [fieldText(fields, 'learner'), fieldText(fields, 'identifier')];
      yield [drop.file, line, learner, content, fieldText(fields, 'timestamp'), acceptedAt, platformId];
    }
  }
}

/** The rows of a drop that need attention, in words for the sender. Personal. */
function refusedTable(ledger: Ledger, drop: ListedDrop): AsyncGenerator<string> {
  return csvTable(REFUSED_COLUMNS, rows());

  async function* rows() {
    for await (const row of await attentionRows(ledger, drop.drop)) {
      const fields = fieldsOf({ ...drop, record: row.record, cells: row.cells });
      const [learner, content] = [fieldText(fields, 'learner'), fieldText(fields, 'identifier')];
      const { wrong, remedy } = senderRow(row, drop.header);
      const says = row.submissionId === null ? null : row.detail;
      yield [drop.file, row.line, learner, content, wrong, remedy, says];
    }
  }
}
