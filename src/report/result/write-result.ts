import { join } from 'node:path';
import type { Config } from '../../config/schema.js';
import { type ResultFile, resultName } from '../../domain/files/result.js';
import type { Refusal } from '../../domain/issue.js';
import { dataRows } from '../../domain/row.js';
import { visibleLines } from '../../domain/text/visible-text.js';
import type { Ledger } from '../../ledger/store/query.js';
import { withSnapshot } from '../../ledger/store/snapshot.js';
import { VERSION } from '../../version.js';
import { writeFileAtomic } from '../../workspace/files/durable.js';
import { suggestedName } from '../../workspace/inbox/file-name-mistake.js';
import { needsGuide, writeGuide } from '../guide/write-guide.js';
import { type Report, reconcile } from '../report.js';
import { writeLines } from '../write-report.js';
import { acceptedTable, refusedTable } from './result-tables.js';

/** What a program of the sender reads of a file's result; docs/sources.md explains it. */
export type ResultDocument = ReturnType<typeof documentOf>;

interface KnownOfResult {
  /** Of the refusal; null: the drop was imported. */
  readonly code: Refusal['code'] | null;
  /** ISO time of the import or the refusal. */
  readonly takenAt: string;
}

/** The result of a drop in files of this machine, the JSON document last. */
export interface WrittenResult {
  readonly document: ResultDocument;
  /** The name that each file gets at the target. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

/**
 * Writes the result of an imported or refused drop into a folder, from one snapshot of the ledger, so that its counts are those of
 * its files. Memory stays the same however many rows there are.
 * @returns null: the drop is imported again at this moment.
 */
export function writeResult(
  ledger: Ledger,
  { drop: dropId, ...known }: { readonly drop: number } & KnownOfResult,
  folder: string,
  config: Config,
): Promise<WrittenResult | null> {
  return withSnapshot(ledger, async (snapshot) => {
    const report = await reconcile(snapshot, { dropId });
    const [summary] = report.files;
    if (summary === undefined) throw new Error(`there is no drop ${dropId}`);
    if (summary.state === 'staging') return null;
    const fileOf = (which: ResultFile) => ({
      name: resultName(suggestedName(summary.file) || 'file', dropId, which),
      path: join(folder, which),
    });
    const files: { name: string; path: string }[] = [];
    const write = async (which: ResultFile, into: (path: string) => Promise<void>) => {
      const file = fileOf(which);
      await into(file.path);
      files.push(file);
    };
    // A refused drop has no rows.
    for (const drop of report.drops) {
      await write('accepted.csv', (path) => writeLines(path, acceptedTable(snapshot, drop)));
      await write('refused.csv', (path) => writeLines(path, refusedTable(snapshot, drop)));
      if (!needsGuide(report)) continue;
      await write('attention.xlsx', (path) =>
        writeFileAtomic(path, (temporary) => writeGuide(temporary, snapshot, report, { config }), true),
      );
    }
    const document = documentOf(
      report,
      { ...summary, ...known },
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
  { source, file, drop, sha256, refusal, code, takenAt }: Report['files'][number] & KnownOfResult,
  files: readonly string[],
) {
  return {
    registrar: VERSION,
    source,
    file,
    sheet: drops[0]?.sheet ?? null,
    drop,
    sha256,
    importedAt: takenAt,
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
