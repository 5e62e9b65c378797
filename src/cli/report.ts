import { resolve } from 'node:path';
import { report } from '../actions/report.js';
import type { FilesRequest } from '../actions/report-files.js';
import { OperatorError } from '../domain/operator-error.js';
import { renderJson } from '../report/render-json.js';
import { renderTerminal } from '../report/render-terminal.js';
import { REPORT_FORMATS, type ReportFormat } from '../report/write-report.js';
import type { Command } from './command.js';
import type { CommonOptions } from './io.js';
import { isoTime } from './iso-time.js';
import { wholeNumber } from './whole-number.js';

interface ReportOptions extends CommonOptions {
  readonly run?: number;
  readonly source?: string;
  readonly file?: string;
  readonly since?: string;
  readonly until?: string;
  readonly format?: string;
  readonly out?: string;
  readonly mask?: boolean;
}

/** `registrar report`: the books of a run, a source, a file, a span of time, or of all there is. */
export const reportCommand: Command<ReportOptions> = {
  name: 'report',
  description: 'where every row went: of a run, a source, a file, a span of time, or of all there is',
  options: [
    { flags: '--run <n>', description: 'of this run', parse: wholeNumber },
    { flags: '--source <name>', description: 'of the drops of this source' },
    { flags: '--file <name>', description: 'of the drops with this file name' },
    {
      flags: '--since <time>',
      description: 'of drops taken in from this day or time (UTC) on',
      parse: isoTime,
    },
    {
      flags: '--until <time>',
      description: 'of drops taken in before this day or time (UTC)',
      parse: isoTime,
    },
    { flags: '--format <list>', description: `files to write: ${REPORT_FORMATS.join(', ')}` },
    { flags: '--mask', description: 'mask people in the HTML page (the default) and in report.xlsx' },
    { flags: '--no-mask', description: 'show people in the HTML page' },
    { flags: '--out <dir>', description: 'folder to write them to; else reports/ of the workspace' },
  ],
  examples: [
    'registrar report --run 12 --format html,xlsx --out /tmp/run-12',
    'registrar report --since 2025-10-01 --until 2025-11-01 --source academy',
  ],
  async run({ options, io, open }) {
    const files = filesOf(options, io.cwd);
    const { run: runId, source, file: fileName, since, until } = options;
    const scope = { runId, source, fileName, since, until };
    // What lies there now belongs to a report of all there is, or of a source; not to what was long ago.
    const inboxes = [runId, fileName, since, until].every((narrowed) => narrowed === undefined);
    const { report: found, kept } = await report(await open(), { scope, inboxes, files });
    return {
      document: () => ({ ...renderJson(found), reportFolder: kept?.folder ?? null }),
      text: (columns) => {
        const page = kept?.page ? `Page to open or pass on: ${kept.page}\n` : '';
        return renderTerminal(found, columns) + (kept === null ? '' : `\nReport: ${kept.folder}\n${page}`);
      },
      ...(found.balanced ? {} : { exit: 'unbalanced' as const }),
    };
  },
};

/** Without --format the report is printed; with --out alone all files are written. null: none. */
function filesOf(options: ReportOptions, cwd: string): FilesRequest | null {
  const out = options.out === undefined ? null : resolve(cwd, options.out);
  const formats = options.format === undefined ? REPORT_FORMATS : formatsIn(options.format);
  const isPrintedOnly = options.format === undefined || formats.every((format) => format === 'terminal');
  if (out === null && isPrintedOnly) return null;
  return { formats, out, isMasked: options.mask ?? true, isWorkbookMasked: options.mask ?? false };
}

function formatsIn(list: string): readonly ReportFormat[] {
  const names = list.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !REPORT_FORMATS.includes(name as ReportFormat));
  if (wrong === undefined) return names as ReportFormat[];
  throw new OperatorError({
    operation: 'read the options',
    subject: '--format',
    message: `--format "${wrong}" is not a format`,
    hint: `There are: ${REPORT_FORMATS.join(', ')}.`,
  });
}
