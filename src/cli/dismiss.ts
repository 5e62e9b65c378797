import type { Command } from 'commander';
import { decide } from '../actions/decision/decide.js';
import { moveListed } from '../actions/decision/move-listed.js';
import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { listDecision } from '../ledger/decisions.js';
import { type Ledger, writing } from '../ledger/query.js';
import {
  dismissRefusals,
  type RefusedDrop,
  refusedDrops,
  refusedDropsNamed,
  settlementOf,
} from '../ledger/refused-drops.js';
import { tracedDrop } from '../ledger/traced-rows.js';
import { settlementText } from '../report/settlement-words.js';
import { shellWord } from '../report/shell-word.js';
import { type Io, print } from './io.js';
import { fileDocument, fileText, printForDismissal } from './print-selected.js';
import {
  addRowOptions,
  type RowOptions,
  recordedOptions,
  requireSelection,
  selectRows,
} from './row-selection.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';
import { wholeNumber } from './whole-number.js';

const STATES = {
  done: 'dismissed',
  allowed: ['waiting', ...ATTENTION_STATES] as const,
  usual: ATTENTION_STATES,
};

/** `registrar dismiss`: rows that shall never be sent, by a decision that is kept. */
export function addDismiss(program: Command, io: Io): void {
  addRowOptions(program.command('dismiss'), STATES)
    .description(
      'decide that rows shall not be sent, or that a set-aside file is settled; --because says why',
    )
    .option(
      '--drop <n>',
      'this file that was set aside as a whole; --file closes those of its name as well',
      wholeNumber,
    )
    .option('--dry-run', 'only list what would be dismissed')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DismissOptions>();
      if (options.drop === undefined) requireSelection('dismiss', options);
      if (!options.dryRun && !options.because?.trim()) throw noReason();
      await withSession(io, options, async (session) => {
        const { ledger } = session;
        const files = setAsideFiles(ledger, options);
        const { selected, leftOut } = namesRows(options)
          ? selectRows(ledger, options, STATES)
          : { selected: [], leftOut: [] };
        if (options.dryRun || selected.length + files.length === 0) {
          printForDismissal(io, options, { dryRun: options.dryRun === true, selected, leftOut }, files);
          return;
        }
        const facts = { kind: 'dismiss' as const, who: whoDecides(io), because: options.because ?? null };
        const dropIds = files.map(({ dropId }) => dropId);
        const selection = { ...recordedOptions(options), drop: options.drop, setAside: dropIds };
        const open = () =>
          writing(ledger, () => {
            const listed = listDecision(ledger, { ...facts, selection }, selected);
            dismissRefusals(ledger, dropIds, listed);
            return listed;
          });
        const asked = { operation: 'dismiss rows', subject: 'the ledger' };
        const { decisionId, result } = await decide(session, moveListed, open, { asked });
        const { moved = 0 } = result;
        print(
          io,
          options,
          () => ({ decision: decisionId, moved, files: files.map(fileDocument) }),
          () =>
            [
              ...(selected.length > 0
                ? [`${countOf(moved, 'row was', 'rows were')} dismissed: kept, and not sent.\n`]
                : []),
              ...files.map(
                (file) => `${fileText(file)} is dismissed: it lies where it was, and is told no more.\n`,
              ),
            ].join(''),
        );
      });
    });
}

interface DismissOptions extends RowOptions {
  readonly drop?: number;
}

/** A drop named alone is a file that was set aside, of which no row counts. */
function namesRows({ drop, ...options }: DismissOptions): boolean {
  const { all, state, reason, learner, content, file, run, since, until, row } = options;
  const named = [all, state, reason, learner, content, file, run, since, until, row];
  return drop === undefined || named.some((value) => value !== undefined);
}

/** The set-aside files that are meant: the drop that is named, and where nothing but a file's name is, those of that name. */
function setAsideFiles(ledger: Ledger, options: DismissOptions): RefusedDrop[] {
  const { drop, file, all, state, reason, learner, content, run, since, until, row } = options;
  const narrowed = [all, state, reason, learner, content, run, since, until, row];
  const named =
    file === undefined || narrowed.some((value) => value !== undefined)
      ? []
      : refusedDropsNamed(ledger, file);
  if (drop === undefined || named.some(({ dropId }) => dropId === drop)) return named;
  const found = refusedDrops(ledger).find(({ dropId }) => dropId === drop);
  if (found === undefined) throw notSetAside(ledger, drop);
  return [...named, found];
}

function notSetAside(ledger: Ledger, drop: number): OperatorError {
  const known = tracedDrop(ledger, drop);
  const settlement = settlementOf(ledger, drop);
  const about = (message: string, hint: string) =>
    new OperatorError({ operation: 'dismiss a file', subject: `--drop ${drop}`, message, hint });
  if (known === undefined)
    return about(`there is no drop ${drop}`, 'registrar status lists the files that were set aside.');
  if (settlement !== null) {
    return about(
      `drop ${drop}, ${known.file}, is settled already${settlementText(settlement)}`,
      'Nothing is to be done.',
    );
  }
  return about(
    `drop ${drop}, ${known.file}, was not set aside: its rows count`,
    `To dismiss its rows: registrar dismiss --file ${shellWord(known.file)} --because TEXT.`,
  );
}

function noReason(): OperatorError {
  return new OperatorError({
    operation: 'dismiss rows',
    subject: '--because',
    message: 'dismiss needs a reason, which is kept with the decision',
    hint: 'Add --because "…", or look first with --dry-run.',
  });
}
