import type { Command } from 'commander';
import { learnerHashes } from '../decisions/learner-hashes.js';
import { OperatorError } from '../domain/operator-error.js';
import type { State } from '../domain/submission.js';
import { ATTENTION_STATES } from '../ledger/attention.js';
import { decide, type Selected, type Selection, select } from '../ledger/decisions.js';
import { textTable } from '../report/text-table.js';
import { type CommonOptions, type Io, print } from './io.js';
import { isoTime } from './iso-time.js';
import type { Finish, Interrupt } from './program.js';
import { type Session, withSession } from './session.js';
import { showRun } from './show-run.js';
import { whoDecides } from './who-decides.js';
import { wholeNumber } from './whole-number.js';

interface RerunOptions extends CommonOptions {
  readonly all?: boolean;
  readonly state?: string;
  readonly reason?: string;
  readonly learner?: string;
  readonly content?: string;
  readonly file?: string;
  readonly run?: number;
  readonly since?: string;
  readonly row?: readonly number[];
  readonly dryRun?: boolean;
  readonly because?: string;
}

/** `registrar rerun`: deliver again what was refused, failed, is in doubt or held. */
export function addRerun(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('rerun')
    .description('deliver again what was refused, failed, is in doubt or is held')
    .option('--all', 'everything that needs attention')
    .option('--state <list>', `of these states: ${ATTENTION_STATES.join(', ')}`)
    .option('--reason <code>', 'with this cause, as reports show it')
    .option('--learner <id>', 'of this learner')
    .option('--content <id>', 'of this content')
    .option('--file <name>', 'from drops with this file name')
    .option('--run <n>', 'of this run', wholeNumber)
    .option('--since <time>', 'from drops taken in from this day or time (UTC) on', isoTime)
    .option('--row <id...>', 'these submissions, by number', (text: string, before: number[] = []) => [
      ...before,
      wholeNumber(text),
    ])
    .option('--because <text>', 'why, for the record')
    .option('--dry-run', 'only list what would be sent')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RerunOptions>();
      requireSelection(options);
      await withSession(io, options, async (session) => {
        const selected = select(session.ledger, selectionOf(options, session));
        if (options.dryRun || selected.length === 0) {
          print(
            io,
            options,
            () => ({ dryRun: options.dryRun === true, selected }),
            () => listText(selected, options.dryRun === true),
          );
          return;
        }
        await rerun(session, selected, options);
      });
    });

  async function rerun(session: Session, selected: readonly Selected[], options: RerunOptions) {
    let moved = 0;
    const begun = (runId: number) => {
      const decision = {
        kind: 'rerun' as const,
        who: whoDecides(io),
        because: options.because ?? null,
        selection: recorded(options),
      };
      moved = decide(session.ledger, decision, selected, runId).moved;
      if (!options.json && !options.quiet) io.err(`${moved} rows wait again.\n`);
    };
    // Nothing is taken in: a person asked for these rows only.
    const asked = {
      trigger: 'rerun' as const,
      sources: [],
      intake: false,
      push: true,
      maxDurationMs: null,
      begun,
    };
    await showRun(io, options, session, interrupt, finish, asked, () => ({ moved }));
  }
}

function selectionOf(options: RerunOptions, session: Session): Selection {
  return {
    states: parseStates(options.state),
    reason: options.reason,
    learners: options.learner === undefined ? undefined : learnerHashes(session.ledger, options.learner),
    content: options.content,
    fileName: options.file,
    runId: options.run,
    since: options.since,
    submissionIds: options.row,
  };
}

/** What the decision keeps of the options; a learner's identifier is not among it. */
function recorded({ learner, ...options }: RerunOptions): Record<string, unknown> {
  const { all, state, reason, content, file, run: runId, since, row } = options;
  return { all, state, reason, content, file, run: runId, since, row, byLearner: learner !== undefined };
}

function requireSelection(options: RerunOptions): void {
  const { all, state, reason, learner, content, file, run: runId, since, row } = options;
  const named = [state, reason, learner, content, file, runId, since, row].some(
    (value) => value !== undefined,
  );
  if (all || named) return;
  throw new OperatorError({
    operation: 'choose rows',
    subject: 'rerun',
    message: 'rerun needs to know which rows',
    hint: 'Name them with --state, --reason, --learner, --content, --file, --run, --since or --row, or take --all.',
  });
}

function parseStates(text: string | undefined): readonly State[] {
  if (text === undefined) return ATTENTION_STATES;
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !ATTENTION_STATES.some((state) => state === name));
  if (wrong === undefined) return names as State[];
  throw new OperatorError({
    operation: 'read the options',
    subject: '--state',
    message: `--state "${wrong}" can't be rerun`,
    hint: `States that can: ${ATTENTION_STATES.join(', ')}.`,
  });
}

function listText(selected: readonly Selected[], dryRun: boolean): string {
  if (selected.length === 0) return 'No row fits.\n';
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM'],
    selected.map((row) => [row.submissionId, row.state, row.code, `${row.file}:${row.line}`]),
  );
  return dryRun ? `${table}\n${selected.length} would be sent. Nothing was changed.\n` : `${table}\n`;
}
