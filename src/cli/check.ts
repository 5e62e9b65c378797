import { resolve } from 'node:path';
import { check } from '../actions/check.js';
import { checkText } from './check-words.js';
import type { Command } from './command.js';
import { inspectDocument } from './inspect-document.js';
import type { CommonOptions } from './io.js';
import { wholeNumber } from './whole-number.js';

interface CheckOptions extends CommonOptions {
  readonly source: string;
  readonly limit: number;
}

/** `registrar check`: a dry run of one file. */
export const checkCommand: Command<CheckOptions> = {
  name: 'check',
  description: 'dry run: what staging would make of a file; writes nothing, sends nothing',
  inputs: [{ name: '<file>' }],
  options: [
    { flags: '--source <name>', description: 'the source whose settings apply', isRequired: true },
    { flags: '--limit <n>', description: 'issues and requests to show', parse: wholeNumber, default: 20 },
  ],
  examples: [
    'registrar check completions.csv --source academy',
    'registrar check completions.csv --source academy --limit 500 --json',
  ],
  async run({ inputs: [file = ''], options: { source, limit }, io, workspace }) {
    const checked = await check(workspace('unused'), { file: resolve(io.cwd, file), source, limit });
    const { seen, refused: _refused, sheetsLeft: _sheetsLeft, isClean, ...all } = checked;
    return {
      document: () => ({ ...inspectDocument(seen), ...all }),
      text: (columns) => checkText(checked, columns),
      ...(isClean ? {} : { exit: 'attention' as const }),
    };
  },
};
