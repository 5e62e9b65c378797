import { REPORT_FORMATS } from '../../report/report-formats.js';
import type { Facts } from '../command.js';
import { isoTime, reportFormats, wholeNumber } from '../option-values.js';

export const look = {
  inspect: {
    description: 'show what the reader sees in a file and how its headers map; writes nothing',
    inputs: { '<file>': '' },
    options: {
      '--source <name>': 'map as this source does; else by known headers',
      '--limit <n>': { description: 'rows to show', parse: wholeNumber, default: 20 },
      '--sheet <name>': 'sheet to show; else the one that would be read',
    },
    examples: [
      'registrar inspect completions.xlsx --sheet "October 2025"',
      'registrar inspect completions.csv --source academy --limit 5',
    ],
  },
  check: {
    description: 'dry run: what staging would make of a file; writes nothing, sends nothing',
    inputs: { '<file>': '' },
    options: {
      '--source <name>': { description: 'the source whose settings apply', isRequired: true },
      '--limit <n>': { description: 'issues and requests to show', parse: wholeNumber, default: 20 },
    },
    examples: [
      'registrar check completions.csv --source academy',
      'registrar check completions.csv --source academy --limit 500 --json',
    ],
  },
  status: {
    description: 'waiting rows and their estimate, what needs attention, quota in use, the last runs',
    examples: ['registrar status', 'registrar status --json'],
  },
  report: {
    description: 'where every row went: of a run, a source, a file, a span of time, or of all there is',
    options: {
      '--run <n>': { description: 'of this run', parse: wholeNumber },
      '--source <name>': 'of the drops of this source',
      '--file <name>': 'of the drops with this file name',
      '--since <time>': { description: 'of drops imported from this day or time (UTC) on', parse: isoTime },
      '--until <time>': { description: 'of drops imported before this day or time (UTC)', parse: isoTime },
      '--inboxes': 'also files in the inboxes that no source takes, as a report of everything has them',
      '--format <list>': {
        description: `files to write: ${REPORT_FORMATS.join(', ')}`,
        parse: reportFormats,
      },
      '--out <dir>': 'folder to write them to; else reports/ of the workspace',
    },
    examples: [
      'registrar report --run 12 --format html,xlsx --out /tmp/run-12',
      'registrar report --since 2025-10-01 --until 2025-11-01 --source academy',
    ],
  },
  trace: {
    description:
      'show the full history of a learner (jane@example.com), a line (file.csv:217), a submission (#12) or a key',
    inputs: { '<what>': '' },
    options: {
      '--search-cells': 'search all rows that became no record, however many they are',
    },
    examples: ['registrar trace jane@example.com', 'registrar trace completions.csv:217 --json'],
  },
  alerts: {
    description: 'open alerts, with --json the latest notifications too; or send a test notification',
    inputs: {
      '[action]': {
        description: 'test: send a test through each channel; without it, open alerts are listed',
        choices: ['test'],
      },
    },
    options: {
      '--channel <name>': 'with test: only this channel',
    },
    examples: ['registrar alerts', 'registrar alerts test --channel ops'],
  },
} as const satisfies Facts;
