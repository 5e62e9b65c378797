import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../domain/operator-error.js';
import type { Scope } from '../ledger/books.js';
import { latestRun, runStartedAt } from '../ledger/runs.js';
import { renderJson } from '../report/render-json.js';
import { renderTerminal } from '../report/render-terminal.js';
import { reconcile } from '../report/report.js';
import { PAGE_FILE, REPORT_FORMATS, type ReportFormat, writeReport } from '../report/write-report.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import { accessFor, READING } from '../workspace/access.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { isoTime } from './iso-time.js';
import { type Session, sourceNamed, withSession } from './session.js';
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
export function addReport(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('report')
    .description('where every row went: of a run, a source, a file, a span of time, or of all there is')
    .option('--run <n>', 'of this run', wholeNumber)
    .option('--source <name>', 'of the drops of this source')
    .option('--file <name>', 'of the drops with this file name')
    .option('--since <time>', 'of drops taken in from this day or time (UTC) on', isoTime)
    .option('--until <time>', 'of drops taken in before this day or time (UTC)', isoTime)
    .option('--format <list>', `files to write: ${REPORT_FORMATS.join(', ')}`)
    .option('--mask', 'mask people in the HTML page (the default) and in report.xlsx')
    .option('--no-mask', 'show people in the HTML page')
    .option('--out <dir>', 'folder to write them to; else reports/ of the workspace')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportOptions>();
      const formats = parseFormats(options);
      await withSession(io, options, async (session) => {
        const { ledger, paths, config } = session;
        const report = reconcile(ledger, scopeOf(options, session), {
          environments: config.environments,
          untaken: await untakenNow(options, session),
        });
        const files = formats.filter((format) => format !== 'terminal');
        const out = options.out === undefined ? null : resolve(io.cwd, options.out);
        const folder =
          out !== null || files.length > 0
            ? await writeReport(ledger, report, out ?? paths.reports, formats, {
                config,
                isMasked: options.mask ?? true,
                isWorkbookMasked: options.mask ?? false,
                // Whoever names another folder has its rights in hand.
                access: out === null ? accessFor(config.reports.group, READING) : null,
              })
            : null;
        print(
          io,
          options,
          () => ({ ...renderJson(report), reportFolder: folder }),
          () =>
            renderTerminal(report, widthOf(io)) +
            (folder === null ? '' : `\nReport: ${folder}\n${pageLine(folder, formats)}`),
        );
        if (!report.balanced) finish('unbalanced');
      });
    });
}

function scopeOf(options: ReportOptions, { ledger, config }: Session): Scope {
  if (options.run !== undefined && runStartedAt(ledger, options.run) === null) {
    throw new OperatorError({
      operation: 'choose a run',
      subject: String(options.run),
      message: `there is no run ${options.run}`,
      hint: `The latest is run ${latestRun(ledger) ?? 'none yet'}.`,
    });
  }
  const source = options.source === undefined ? undefined : sourceNamed(config, options.source).name;
  const { run: runId, file: fileName, since, until } = options;
  return { runId, source, fileName, since, until };
}

/** What lies in the inboxes now belongs to a report of all there is, or of a source; not to what was long ago. */
async function untakenNow(options: ReportOptions, { paths, config, clock }: Session) {
  if ([options.run, options.file, options.since, options.until].some((option) => option !== undefined))
    return null;
  const sources = config.sources.filter(
    ({ name }) => options.source === undefined || name === options.source,
  );
  return findUntaken({ paths, clock, sources, allSources: config.sources });
}

function pageLine(folder: string, formats: readonly ReportFormat[]): string {
  return formats.includes('html') ? `Page to open or pass on: ${join(folder, PAGE_FILE)}\n` : '';
}

/** Without --format the report is printed; with --out alone all files are written. */
function parseFormats(options: ReportOptions): readonly ReportFormat[] {
  if (options.format === undefined) return options.out === undefined ? ['terminal'] : REPORT_FORMATS;
  const names = options.format.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !REPORT_FORMATS.includes(name as ReportFormat));
  if (wrong === undefined) return names as ReportFormat[];
  throw new OperatorError({
    operation: 'read the options',
    subject: '--format',
    message: `--format "${wrong}" is not a format`,
    hint: `There are: ${REPORT_FORMATS.join(', ')}.`,
  });
}
