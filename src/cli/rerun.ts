import type { Command } from 'commander';
import { decide } from '../actions/decision/decide.js';
import { moveListed } from '../actions/decision/move-listed.js';
import { type Obstacle, rerunOutlook } from '../decisions/rerun-outlook.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { listDecision } from '../ledger/decisions.js';
import type { Selected } from '../ledger/selection.js';
import type { Finish, Interrupt } from './command.js';
import { type Io, print, widthOf } from './io.js';
import { printForRerun } from './print-selected.js';
import {
  addRowOptions,
  type RowOptions,
  recordedOptions,
  requireSelection,
  selectRows,
} from './row-selection.js';
import { type Session, withSession } from './session.js';
import { whoDecides } from './who-decides.js';

/** Rows that weren't chosen and are sent all the same, because their slots' order says so. */
function aheadText(obstacles: ReadonlyMap<number, Obstacle>): string {
  const first = new Set([...obstacles.values()].flatMap((one) => (one.kind === 'behind' ? [one.id] : [])));
  if (first.size === 0) return '';
  const ids = [...first].slice(0, MOST_NAMED).map((id) => `#${id}`);
  const more = first.size > ids.length ? ' and others' : '';
  return `Before them ${agreeing(first.size, 'goes', 'go')} ${ids.join(', ')}${more}: older, waiting, and of the same learner and content.\n`;
}

/** A line holds so many. */
const MOST_NAMED = 5;

const STATES = { done: 'rerun', allowed: ATTENTION_STATES, usual: ATTENTION_STATES };

/** `registrar rerun`: deliver again what was refused, failed, is in doubt or held. */
export function addRerun(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  addRowOptions(program.command('rerun'), STATES)
    .description('deliver again what was refused, failed, is in doubt or is held')
    .option('--dry-run', 'only list what would be sent')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<RowOptions>();
      requireSelection('rerun', options);
      await withSession(io, options, async (session) => {
        const { selected, leftOut } = selectRows(session.ledger, options, STATES);
        if (options.dryRun || selected.length === 0) {
          printForRerun(io, options, session, { dryRun: options.dryRun === true, selected, leftOut });
          return;
        }
        await rerun(session, selected, options);
      });
    });

  async function rerun(session: Session, selected: readonly Selected[], options: RowOptions) {
    let moved = 0;
    const ahead = aheadText(rerunOutlook(session.ledger, selected));
    const begun = async (runId: number) => {
      const decision = {
        kind: 'rerun' as const,
        who: whoDecides(io),
        because: options.because ?? null,
        selection: recordedOptions(options),
      };
      const open = () => listDecision(session.ledger, decision, selected);
      const asked = { operation: 'rerun rows', subject: 'the ledger' };
      const { decisionId, result } = await decide(session, moveListed, open, { asked, runId });
      moved = result.moved ?? 0;
      if (!options.json && !options.quiet)
        io.err(`${countOf(moved, 'row waits', 'rows wait')} again.\n${ahead}`);
      return { decisionId, environments: [...new Set(selected.map(({ environment }) => environment))] };
    };
    // Nothing is taken in: a person asked for these rows only.
    const asked = {
      trigger: 'rerun' as const,
      sources: [],
      confirmed: [],
      intake: false,
      push: true,
      maxDurationMs: null,
      begun,
    };
    // To look at a selection takes none of the code that delivers it.
    const { showRun } = await import('./show-run.js');
    const who = whoDecides(io);
    const answer = await showRun({ io, options, interrupt, who }, session, asked, () => ({ moved }));
    finish(answer.exit);
    print(io, options, answer.document, () => answer.text(widthOf(io)));
    io.err(answer.notes ?? '');
  }
}
