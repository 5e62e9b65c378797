import type { Command } from 'commander';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { ATTENTION_STATES } from '../ledger/attention.js';
import { decide, finishDecisions } from '../ledger/decisions.js';
import { type Io, print } from './io.js';
import { printForDismissal } from './print-selected.js';
import {
  addRowOptions,
  type RowOptions,
  recordedOptions,
  requireSelection,
  selectRows,
} from './row-selection.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';

const STATES = {
  done: 'dismissed',
  allowed: ['waiting', ...ATTENTION_STATES] as const,
  usual: ATTENTION_STATES,
};

/** `registrar dismiss`: rows that shall never be sent, by a decision that is kept. */
export function addDismiss(program: Command, io: Io): void {
  addRowOptions(program.command('dismiss'), STATES)
    .description('decide that rows shall not be sent; --because says why')
    .option('--dry-run', 'only list what would be dismissed')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RowOptions>();
      requireSelection('dismiss', options);
      if (!options.dryRun && !options.because?.trim()) throw noReason();
      await withSession(io, options, async ({ ledger }) => {
        const { selected, leftOut } = selectRows(ledger, options, STATES);
        if (options.dryRun || selected.length === 0) {
          printForDismissal(io, options, { dryRun: options.dryRun === true, selected, leftOut });
          return;
        }
        finishDecisions(ledger, null);
        const facts = { kind: 'dismiss' as const, who: whoDecides(io), because: options.because ?? null };
        const { decisionId, moved } = decide(
          ledger,
          { ...facts, selection: recordedOptions(options) },
          selected,
          null,
        );
        print(
          io,
          options,
          () => ({ decision: decisionId, moved }),
          () => `${countOf(moved, 'row was', 'rows were')} dismissed: kept, and not sent.\n`,
        );
      });
    });
}

function noReason(): OperatorError {
  return new OperatorError({
    operation: 'dismiss rows',
    subject: '--because',
    message: 'dismiss needs a reason, which is kept with the decision',
    hint: 'Add --because "…", or look first with --dry-run.',
  });
}
