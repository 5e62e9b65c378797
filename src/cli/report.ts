import { resolve } from 'node:path';
import { reportDocument } from '../actions/documents/report-document.js';
import { type FilesRequest, report } from '../actions/report.js';
import { REPORT_FORMATS } from '../report/report-formats.js';
import { renderTerminal } from '../report/terminal.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts.js';
import { workspaceToName } from './io.js';
import type { OptionsOf } from './options-of.js';

export async function answer({ options, io, open }: Call<typeof look.report>): Promise<Answer> {
  const files = filesOf(options, io.cwd);
  const { run: runId, source, file: fileName, since, until } = options;
  const selection = { runId, source, fileName, since, until };
  // Files in the inboxes belong to a report of everything or of a source, not to one of the past.
  const isPresent = [runId, fileName, since, until].every((narrowed) => narrowed === undefined);
  const inboxes = options.inboxes ?? isPresent;
  const context = await open();
  const { report: model, written } = await report(context, { selection, inboxes, files });
  return {
    document: () => reportDocument({ report: model, written }),
    text: (columns) => {
      const lines = [
        renderTerminal(model, columns, workspaceToName(io, context.paths.root)),
        ...(written === null ? [] : [`Report: ${written.folder}\n`]),
        ...(written?.page ? [`Page to open or pass on: ${written.page}\n`] : []),
        ...(written !== null && files?.formats.includes('xlsx')
          ? [written.workbook === null ? `${NO_WORKBOOK}\n` : `Correction workbook: ${written.workbook}\n`]
          : []),
      ];
      return lines.join('');
    },
    ...(model.balanced ? {} : { exit: 'unbalanced' as const }),
  };
}

const NO_WORKBOOK = 'No correction workbook: no row in this report is for a sender or an administrator.';

function filesOf(options: OptionsOf<typeof look.report>, cwd: string): FilesRequest | null {
  const out = options.out === undefined ? null : resolve(cwd, options.out);
  const { format: formats = REPORT_FORMATS } = options;
  const isPrintedOnly = options.format === undefined || formats.every((format) => format === 'terminal');
  if (out === null && isPrintedOnly) return null;
  return { formats, out };
}
