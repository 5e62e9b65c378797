import { relative } from 'node:path';
import type { Command } from 'commander';
import { type Forgotten, findPerson, forgetPerson, type PersonFound } from '../actions/forget.js';
import { identifierType } from '../actions/learners/learner-to-map.js';
import { learnersNamed } from '../actions/learners/learners-named.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/visible-text.js';
import type { Identified } from '../ledger/corrections.js';
import { rowsOfLearner } from '../ledger/forgetting.js';
import type { Ledger } from '../ledger/query.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';

interface ForgetOptions extends CommonOptions {
  readonly because?: string;
  readonly type?: string;
  readonly reports?: boolean;
  readonly dryRun?: boolean;
}

/** `registrar forget`: erases a person for good, and proves it. The identifier is never printed or recorded. */
export function addForget(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('forget <learner>')
    .description(
      'erase a person from the ledger for good, and prove it; rows to come about them are not kept',
    )
    .option('--because <text>', 'why, for the record; needed without --dry-run. Name no person in it')
    .option('--type <type>', 'type of the identifier, such as Email; else every type')
    .option('--reports', 'also delete generated report files that name the person')
    .option('--dry-run', 'only say what there is of the person')
    .action(async (learner: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ForgetOptions>();
      const { because, reports = false, dryRun = false } = options;
      if (learner.trim() === '')
        throw refusal('the identifier is empty', 'Name the learner as the files do.');
      if (!dryRun && !because?.trim()) {
        throw refusal('forget needs a reason, which is kept', 'Add --because "…", or look with --dry-run.');
      }
      await withSession(io, options, async ({ ledger, paths, config }) => {
        const context = {
          ledger,
          paths,
          sources: config.sources,
          environments: Object.keys(config.environments),
          learners: namedBy(ledger, learner, options.type),
        };
        const forgotten = dryRun
          ? null
          : await forgetPerson(context, { who: whoDecides(io), because: because ?? '', reports });
        const found = forgotten?.found ?? (await findPerson(context));
        const named = (path: string) => relative(paths.root, path);
        if (forgotten && (forgotten.proof.remaining.length > 0 || found.files.length > 0))
          finish('attention');
        print(
          io,
          options,
          () => documentOf(found, forgotten, named),
          () => textOf(found, forgotten, named),
        );
      });
    });
}

/** Whoever is named. What two people share is refused: nothing brings the other one back. */
function namedBy(ledger: Ledger, text: string, type: string | undefined): readonly Identified[] {
  const named = learnersNamed(ledger, text);
  if (type !== undefined) {
    const meant = identifierType(type, '--type');
    return named.filter((learner) => learner.type === meant);
  }
  const known = named.filter(({ hash }) => rowsOfLearner(ledger, hash).length > 0);
  const types = [...new Set(known.map((learner) => learner.type))];
  if (types.length <= 1) return named;
  throw refusal(
    `the identifier is of ${types.length} types, perhaps of as many people`,
    `Say which is meant: --type ${types.join(' or --type ')}.`,
  );
}

const NONE = { dismissed: 0, records: 0, answers: 0, issues: 0, refusals: 0, corrections: 0 };

function documentOf(found: PersonFound, forgotten: Forgotten | null, named: (path: string) => string) {
  return {
    dryRun: forgotten === null,
    decision: forgotten?.decisionId ?? null,
    states: found.states,
    rows: found.rows,
    mentions: found.mentions,
    cleared: forgotten?.cleared ?? NONE,
    files: found.files.map(({ path, isSure }) => ({ path: named(path), sure: isSure })),
    deleted: (forgotten?.deleted ?? []).map(named),
    proof: forgotten?.proof ?? null,
  };
}

function textOf(found: PersonFound, forgotten: Forgotten | null, named: (path: string) => string): string {
  const submissions = Object.values(found.states).reduce((sum, count) => sum + count, 0);
  const lines = [
    `${countOf(submissions, 'submission')}, ${countOf(found.rows, 'row')} with content; ${countOf(found.mentions, 'row')} about others ${agreeing(found.mentions, 'names', 'name')} the person.`,
  ];
  if (forgotten === null) lines.push('Nothing was changed.');
  else lines.push(...doneLines(forgotten));
  if (found.mentions > 0) {
    lines.push(
      'Rows about others may be about the same person by another identifier: forget that one as well.',
    );
  }
  if (found.files.length > 0) {
    lines.push(
      'Files that name the person, or may, which are yours to delete or to correct:',
      ...found.files.map(
        ({ path, isSure }) =>
          `  ${visibleText(named(path))}${isSure ? '' : ' (could not be looked through)'}`,
      ),
    );
  }
  lines.push('Backups still hold the person: delete the old ones when a new one is made.');
  return `${lines.join('\n')}\n`;
}

function doneLines({ cleared, deleted, proof }: Forgotten): string[] {
  const { dismissed, records, answers, issues, corrections } = cleared;
  const lines = [
    `Erased: ${countOf(records, 'record')}, ${countOf(answers, 'answer')}, ${countOf(issues, 'issue')}, ${countOf(corrections, 'correction')}; ${countOf(dismissed, 'row')} will not be sent.`,
    `Proof: ${proof.bytes} bytes of the ledger's files and ${countOf(proof.rows, 'kept row')} were searched after it was written anew.`,
  ];
  if (proof.remaining.length === 0)
    lines.push('Nothing of the person remains in the ledger but salted hashes.');
  for (const { place, count } of proof.remaining) lines.push(`Remaining: ${count} in ${place}.`);
  if (deleted.length > 0) lines.push(`${deleted.length} report files were deleted.`);
  return lines;
}

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'forget a learner', subject: 'forget', message, hint });
}
