import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config/schema.js';
import { cellText } from '../../domain/row.js';
import { visibleLines } from '../../domain/text/visible-text.js';
import type { LifeAnswer } from '../../ledger/trace/submission-life.js';
import type { TracedDrop } from '../../ledger/trace/traced-rows.js';
import { VERSION } from '../../version.js';
import { writeFolderAtomic } from '../../workspace/files/atomic-folder.js';
import { makeFolder } from '../../workspace/folders.js';
import { csvLine } from '../text/csv-line.js';
import { renderTrace } from './render-trace.js';
import type { Trace } from './trace.js';
import { traceDocument } from './trace-document.js';

/** Written first, so that a spreadsheet takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes what an auditor needs to follow a trace without the ledger into a new folder below `parent`: the trace as text
 * and as a document, the rows as they were read, the platform's answers word for word, the settings, and a manifest with
 * the SHA-256 of each file. The folder appears whole or not at all; no secret is in it. Personal.
 * @returns the folder.
 */
export async function writeEvidence(config: Config, trace: Trace, parent: string): Promise<string> {
  const files = new Map([
    ['trace.txt', visibleLines(renderTrace(trace, true))],
    ['trace.json', json(traceDocument(trace))],
    ['settings.json', json(settingsOf(config, trace))],
    ...rowFiles(trace),
    ...answerFiles(trace),
  ]);
  files.set('manifest.json', json(manifestOf(trace, files)));
  const folder = join(parent, `evidence-${trace.at.replaceAll(':', '-')}`);
  await makeFolder(parent);
  await writeFolderAtomic(folder, files);
  return folder;
}

/** For each drop the rows of the trace, as they were read. */
function rowFiles({ rows }: Trace): [string, string][] {
  return dropsOf(rows).map((drop) => {
    const lines = rows
      .filter((row) => row.drop.dropId === drop.dropId)
      .map(({ line, cells }) => csvLine([...(cells ?? []).map(({ value }) => cellText(value)), line]));
    return [
      `rows/drop-${drop.dropId}.csv`,
      BYTE_ORDER_MARK + csvLine([...drop.header, '_row']) + lines.join(''),
    ];
  });
}

/** One file for each answer, as HTTP writes one: the status, the headers that are kept, the body. */
function answerFiles({ submissions }: Trace): [string, string][] {
  return submissions.flatMap(({ attempts }) =>
    attempts.flatMap(({ attemptId, answers }) =>
      answers.map((answer, index): [string, string] => [
        `answers/request-${attemptId}${index === 0 ? '' : `-${index + 1}`}.txt`,
        answerText(answer),
      ]),
    ),
  );
}

function answerText({ status, failure, headers, body }: LifeAnswer): string {
  if (status === null) return `no answer: ${failure}\n`;
  const names = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `${status}\n${names.join('')}\n${body ?? ''}`;
}

/** The settings of the sources and environments that the trace is about, without what gives access. */
function settingsOf({ sources, environments }: Config, { rows, submissions }: Trace) {
  const sourceNames = new Set(rows.map(({ drop }) => drop.source));
  const environmentNames = new Set(submissions.map(({ environment }) => environment));
  return {
    sources: sources.filter(({ name }) => sourceNames.has(name)),
    environments: Object.fromEntries(
      Object.entries(environments)
        .filter(([name]) => environmentNames.has(name))
        .map(([name, { clientId: _, clientSecret: __, clientSecretFile: ___, ...shown }]) => [name, shown]),
    ),
  };
}

function manifestOf({ what, at, rows, ledger }: Trace, files: ReadonlyMap<string, string>) {
  return {
    what,
    at,
    registrar: VERSION,
    node: process.version,
    ledger,
    drops: dropsOf(rows).map(
      ({ dropId, source, file, sha256, rowsRead, settings, takenAt, publishedAt }) => ({
        drop: dropId,
        source,
        file,
        sha256,
        rows: rowsRead,
        settings,
        takenAt,
        publishedAt,
      }),
    ),
    files: [...files].map(([name, content]) => ({
      name,
      bytes: Buffer.byteLength(content),
      sha256: hash('sha256', content, 'hex'),
    })),
  };
}

function dropsOf(rows: Trace['rows']): TracedDrop[] {
  return [...new Map(rows.map(({ drop }) => [drop.dropId, drop])).values()];
}

function json(document: unknown): string {
  return `${visibleLines(JSON.stringify(document, null, 2))}\n`;
}
