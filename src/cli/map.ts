import type { Command } from 'commander';
import type { Mapping } from '../actions/decision/map-learner.js';
import { learnerFromText } from '../actions/learners/learner-from-text.js';
import { identifierType, learnerToMap } from '../actions/learners/learner-to-map.js';
import { learnersNamed } from '../actions/learners/learners-named.js';
import { carryOut, type Mapped, plan } from '../actions/map.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Correction } from '../ledger/corrections.js';
import type { StandingRows } from '../ledger/learner-rows.js';
import type { Ledger } from '../ledger/query.js';
import { causeWords } from '../report/cause-words.js';
import { textTable } from '../report/text-table.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { listUnknown, nextToThem } from './list-unknown.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';

interface MapOptions extends CommonOptions {
  readonly because?: string;
  readonly type?: string;
  readonly newType?: string;
  readonly dryRun?: boolean;
}

/** `registrar map`: a learner's corrected identifier, for what is staged and what comes; without it, whom to correct. */
export function addMap(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('map [old] [new]')
    .description(
      "correct a learner's identifier, for what is staged and what comes; without NEW: learners the platform doesn't know, and known ones near them",
    )
    .option('--because <text>', 'why, for the record; needed with NEW')
    .option('--type <type>', 'type of OLD, such as Email; else that of its rows')
    .option('--new-type <type>', 'type of NEW; else that of OLD')
    .option('--dry-run', 'only list what would change')
    .action(async (old: string | undefined, now: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<MapOptions>();
      await withSession(io, options, async (session) => {
        const { ledger } = session;
        if (old === undefined || now === undefined) {
          const among = old === undefined ? undefined : learnersNamed(ledger, old).map(({ hash }) => hash);
          const list = listUnknown(session, among);
          print(
            io,
            options,
            () => list,
            () => nextToThem(list, widthOf(io)),
          );
          // To map a learner both identifiers are needed.
          if (old !== undefined) finish('usage');
          return;
        }
        const correction = correctionOf(ledger, old, now, options);
        if (options.dryRun) {
          const mapping = plan(session, correction);
          print(
            io,
            options,
            () => ({ ...documentOf(mapping), dryRun: true, made: 0, linked: 0, left: 0, standing: [] }),
            () => dryText(mapping, widthOf(io)),
          );
          return;
        }
        const because = requireReason(options);
        const mapped = await carryOut(session, plan(session, correction), whoDecides(io), because);
        const { made, linked, left, mapping, standing } = mapped;
        print(
          io,
          options,
          () => ({ ...documentOf(mapping), dryRun: false, made, linked, left, standing }),
          () => doneText(mapped),
        );
      });
    });
}

function correctionOf(ledger: Ledger, old: string, now: string, options: MapOptions): Correction {
  const type = options.type === undefined ? undefined : identifierType(options.type, '--type');
  const learner = learnerToMap(ledger, old, type);
  const newType =
    options.newType === undefined ? learner.type : identifierType(options.newType, '--new-type');
  return { old: learner, now: learnerFromText(ledger, newType, now, 'NEW') };
}

function requireReason({ because }: MapOptions): string {
  if (because !== undefined && because.trim() !== '') return because;
  throw new OperatorError({
    operation: 'map a learner',
    subject: 'map',
    message: 'map needs to know why',
    hint: 'Say it with --because, or look with --dry-run first.',
  });
}

/** What of the mapping is in every document. Nothing of it is personal. */
function documentOf({ correction, rows, states, replacesEarlier }: Mapping) {
  return {
    oldType: correction.old.type,
    newType: correction.now.type,
    replacesEarlier,
    selected: rows.map(({ submissionId, state, code, file, line }) => ({
      submissionId,
      state,
      code,
      file,
      line,
    })),
    sending: states.sending ?? 0,
    accepted: states.accepted ?? 0,
  };
}

function dryText(mapping: Mapping, columns: number | null): string {
  const { rows } = mapping;
  const lines = [
    `${countOf(rows.length, 'row')} would be replaced. Nothing was changed.`,
    ...stayText(mapping),
  ];
  if (rows.length === 0) return `${lines.join('\n')}\n`;
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM'],
    rows.map((row) => [row.submissionId, row.state, row.code, `${row.file}:${row.line}`]),
    columns,
  );
  return `${table}\n\n${lines.join('\n')}\n`;
}

function doneText({ made, linked, left, mapping, standing }: Mapped): string {
  const lines = [
    `${countOf(made + linked, 'row')} replaced: ${made} by new ones under NEW, ${linked} by ones that were there.`,
    ...stayText(mapping),
    'In files to come OLD counts as NEW.',
  ];
  if (left > 0) lines.push(`${countOf(left, 'row')} had moved on meanwhile.`);
  lines.push(...standing.map((rows) => standingText(rows)));
  return `${lines.join('\n')}\n`;
}

/** What becomes of the new rows: those that wait go, those that are held stay until somebody decides. */
function standingText({ state, heldReason, count }: StandingRows): string {
  if (state === 'waiting') {
    return `${countOf(count, 'new row waits', 'new rows wait')}: the next registrar run delivers ${agreeing(count, 'it', 'them')}.`;
  }
  const rows = `${countOf(count, 'new row')} ${agreeing(count, 'is', 'are')}`;
  if (heldReason === null) return `${rows} ${state}.`;
  const { reason, remedy } = causeWords({ state, cause: heldReason, code: heldReason });
  return `${rows} held (${heldReason}), and no run delivers ${agreeing(count, 'it', 'them')}: ${reason}. ${remedy}`;
}

function stayText({ states, replacesEarlier }: Mapping): string[] {
  const lines: string[] = [];
  if (states.accepted) {
    lines.push(
      `${countOf(states.accepted, 'row was', 'rows were')} accepted under OLD and ${agreeing(states.accepted, 'stays; it is', 'stay; they are')} not sent again under NEW.`,
    );
  }
  if (states.sending) {
    lines.push(
      `${countOf(states.sending, 'row')} under way ${agreeing(states.sending, 'is', 'are')} left alone; map again once ${agreeing(states.sending, 'it has', 'they have')} an answer.`,
    );
  }
  if (replacesEarlier) lines.push('OLD was corrected before; this takes the place of that.');
  return lines;
}
