import { REPORT_FORMATS } from '../../report/report-formats.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { isoTime } from '../iso-time.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar report`. */
export interface ReportOptions extends CommonOptions {
  readonly run?: number;
  readonly source?: string;
  readonly file?: string;
  readonly since?: string;
  readonly until?: string;
  readonly inboxes?: boolean;
  readonly format?: string;
  readonly out?: string;
  readonly mask?: boolean;
}

/** `registrar report`: the books of a run, a source, a file, a span of time, or of all there is. */
export const reportFacts: CommandFacts = {
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
    {
      flags: '--inboxes',
      description: 'also files in the inboxes that no source takes, as a report of everything has them',
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
};
