import { relative } from 'node:path';
import { requiredReason } from '../actions/decision/verb.js';
import { carryOut, type Forgotten, plan, type UnknownPerson } from '../actions/forgetting/forget.js';
import type { PersonFound } from '../actions/forgetting/handler.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Answer, Call } from './command.js';
import type { keep } from './facts/keep.js';

/** Carries `registrar forget` out. */
export async function answer({
  inputs: [learner = ''],
  options,
  who,
  openToDecide,
}: Call<typeof keep.forget>): Promise<Answer> {
  const { because = '', type, reports = false, dryRun = false } = options;
  if (!dryRun) requiredReason('forget', because);
  const context = await openToDecide({ dryRun });
  const planned = await plan(context, { learner, type, reports });
  const named = (path: string) => relative(context.paths.root, path);
  if ('near' in planned) return unknownAnswer(learner, dryRun, planned, named);
  const forgotten = dryRun ? null : await carryOut(context, planned, who, because);
  const { found } = forgotten ?? planned;
  const isLeft = forgotten !== null && forgotten.proof.remaining.length + found.files.length > 0;
  return {
    document: () => ({ dryRun, ...documentOf(found, forgotten, named) }),
    text: () => textOf(found, forgotten, named),
    ...(isLeft ? { exit: 'attention' as const } : {}),
  };
}

/** The answer on stdout alone: an error would go on stderr, and from there into logs and mails. */
function unknownAnswer(
  learner: string,
  dryRun: boolean,
  { found, near }: UnknownPerson,
  named: (path: string) => string,
): Answer {
  const meant = near.length === 0 ? '.' : `; did you mean ${near.map(visibleText).join(' or ')}?`;
  return {
    document: () => ({ dryRun, ...documentOf(found, null, named), known: false, didYouMean: near }),
    text: () =>
      [
        `Nothing is known of ${visibleText(learner)}${meant}`,
        'Nothing was changed, and no decision was recorded.',
        ...fileLines('Files that could not be searched:', found, named),
        '',
      ].join('\n'),
    exit: 'attention',
  };
}

function fileLines(title: string, { files }: PersonFound, named: (path: string) => string): string[] {
  if (files.length === 0) return [];
  const line = ({ path, isSure }: PersonFound['files'][number]) =>
    `  ${visibleText(named(path))}${isSure ? '' : ' (could not be searched)'}`;
  return [title, ...files.map(line)];
}

const NONE = { dismissed: 0, records: 0, answers: 0, issues: 0, refusals: 0, corrections: 0 };

function documentOf(found: PersonFound, forgotten: Forgotten | null, named: (path: string) => string) {
  return {
    known: true,
    didYouMean: [] as readonly string[],
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
  lines.push(
    ...fileLines(
      'Files that name the person, or may, which are yours to delete or to correct:',
      found,
      named,
    ),
  );
  lines.push('Backups still hold the person: delete the old ones when a new one is made.');
  return `${lines.join('\n')}\n`;
}

function doneLines({ cleared, deleted, proof }: Forgotten): string[] {
  const { dismissed, records, answers, issues, corrections } = cleared;
  const lines = [
    `Erased: ${countOf(records, 'record')}, ${countOf(answers, 'answer')}, ${countOf(issues, 'issue')}, ${countOf(corrections, 'correction')}; ${countOf(dismissed, 'row')} will not be sent.`,
    `Proof: ${proof.bytes} bytes of the ledger's files and ${countOf(proof.rows, 'kept row')} were searched after the rewrite.`,
  ];
  if (proof.remaining.length === 0)
    lines.push('Nothing of the person remains in the ledger but salted hashes.');
  for (const { place, count } of proof.remaining) lines.push(`Remaining: ${count} in ${place}.`);
  if (deleted.length > 0) lines.push(`${deleted.length} report files were deleted.`);
  return lines;
}
