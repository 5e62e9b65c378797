import { resolve } from 'node:path';
import { trace } from '../actions/trace.js';
import { OperatorError } from '../domain/operator-error.js';
import { notFoundText, renderTrace } from '../report/render-trace.js';
import { traceDocument } from '../report/trace-document.js';
import type { Command } from './command.js';
import type { CommonOptions } from './io.js';

interface TraceOptions extends CommonOptions {
  readonly searchCells?: boolean;
  readonly out?: string;
}

/** `registrar trace`: every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export const traceCommand: Command<TraceOptions> = {
  name: 'trace',
  description:
    'every step of a life: of a learner (jane@example.com), a line (file.csv:217), a submission (#12) or a key',
  inputs: [{ name: '<what>' }],
  options: [
    {
      flags: '--search-cells',
      description: 'search all rows that became no record, however many they are',
    },
    { flags: '--out <dir>', description: 'also write an evidence pack for auditors into this folder' },
  ],
  examples: ['registrar trace jane@example.com', 'registrar trace completions.csv:217 --out evidence'],
  async run({ io, inputs: [what = ''], options, workspace, openToRead }) {
    const context = openToRead('unused');
    if (context === null) throw noLedger(workspace('unused').paths.ledger);
    const evidenceFolder = options.out === undefined ? null : resolve(io.cwd, options.out);
    const request = { what, searchAll: options.searchCells === true, evidence: evidenceFolder };
    const { found, evidence } = await trace(context, request);
    return {
      document: () => ({ ...traceDocument(found), evidence }),
      text: (columns) => {
        if (found.kind === null) return notFoundText(found);
        const text = renderTrace(found, options.verbose === true, columns);
        return evidence === null ? text : `${text}\nEvidence: ${evidence}\n`;
      },
      ...(found.kind === null ? { exit: 'attention' as const } : {}),
    };
  },
};

function noLedger(path: string): OperatorError {
  return new OperatorError({
    operation: 'trace',
    subject: path,
    message: 'the workspace has no ledger yet, so nothing has happened in it',
    hint: 'Put files into its inbox and registrar run.',
  });
}
