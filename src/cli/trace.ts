import type { Command } from 'commander';
import { learnersNamed } from '../decisions/learners-named.js';
import { OperatorError } from '../domain/operator-error.js';
import { closeLedger } from '../ledger/open.js';
import { notFoundText, renderTrace } from '../report/render-trace.js';
import { trace } from '../report/trace.js';
import { traceDocument } from '../report/trace-document.js';
import { writeEvidence } from '../report/write-evidence.js';
import { openExpectedToRead } from '../upkeep/expected-ledger.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import type { Finish, Interrupt } from './program.js';
import { explained, readWorkspace } from './session.js';

interface TraceOptions extends CommonOptions {
  readonly searchCells?: boolean;
  readonly out?: string;
}

/** `registrar trace`: every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export function addTrace(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('trace <what>')
    .description(
      'every step of a life: of a learner (jane@example.com), a line (file.csv:217), a submission (#12) or a key',
    )
    .option('--search-cells', 'search all rows that became no record, however many they are')
    .option('--out <dir>', 'also write an evidence pack for auditors into this folder')
    .action(async (what: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<TraceOptions>();
      const { config, paths, clock } = readWorkspace(io, options, 'unused');
      const ledger = openExpectedToRead(paths, clock);
      if (ledger === null) throw noLedger(paths.ledger);
      try {
        const learners = learnersNamed(ledger, what);
        const found = await trace(ledger, config, {
          what,
          learners,
          searchAll: options.searchCells === true,
        });
        const folder =
          options.out === undefined || found.kind === null
            ? null
            : await writeEvidence(ledger, config, found, options.out);
        print(
          io,
          options,
          () => ({ ...traceDocument(found), evidence: folder }),
          () => {
            if (found.kind === null) return notFoundText(found);
            const text = renderTrace(found, options.verbose === true, widthOf(io));
            return folder === null ? text : `${text}\nEvidence: ${folder}\n`;
          },
        );
        if (found.kind === null) finish('attention');
      } catch (error) {
        throw explained(ledger, error);
      } finally {
        closeLedger(ledger);
      }
    });
}

function noLedger(path: string): OperatorError {
  return new OperatorError({
    operation: 'trace',
    subject: path,
    message: 'the workspace has no ledger yet, so nothing has happened in it',
    hint: 'Put files into its inbox and registrar run.',
  });
}
