import type { ForgetDocument } from '../../documents/decisions.js';
import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { errorsOf } from '../../domain/operator-error.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { mentionsOf } from '../../domain/text/mentions.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import { findPerson, nearPeople } from '../../ledger/erasure/forget-person.js';
import type { Ledger } from '../../ledger/store/query.js';
import { decide } from '../decision/decide.js';
import { requiredReason, type Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { identifierType, learnersNamed } from '../learners/learners-named.js';
import { type ErasedLearner, filesNamingLearner, forgetHandler, type LearnerMatches } from './handler.js';

/**
 * A person is erased from the ledger for good, and anything that is left is searched for. Submissions that would still be sent
 * are dismissed. A salted hash stays, by which later rows about the person are recognised and not kept.
 */
export const forget: Verb<RequestOf<'forget'>, Forgetting, Forgotten> = {
  // Refuses an identifier that may name two people, because nothing would bring the other person back. Its sentences don't repeat it.
  async plan(context, request) {
    const { ledger } = context;
    if (request.learner.trim() === '') {
      throw refusal('the ledger', 'the identifier is empty', 'Name the learner as the files do.');
    }
    const learners = await namedBy(ledger, request);
    const { identifiers, isKnown, ...inLedger } = await findPerson(ledger, learners);
    const matches = { ...inLedger, files: await filesNamingLearner(context, mentionsOf(identifiers)) };
    const near =
      isKnown || matches.files.some(({ isSure }) => isSure) ? null : await nearPeople(ledger, learners);
    return { request, learners, matches, near };
  },
  async carryOut(context, { request: { reports }, learners }, who, reason) {
    const because = requiredReason('forget', reason);
    const forget = { kind: 'forget' as const, learners, reports, who, because };
    const { decisionId, done } = await decide(context, forgetHandler, forget);
    return { ...done, decisionId };
  },
  preview({ request: { learner }, matches, near }) {
    const isKnown = near === null;
    return {
      headline: isKnown ? matchesText(matches) : `Nothing was found for ${learner}`,
      lines: isKnown
        ? remainingLines(matches)
        : [
            ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
            ...fileLines('Files that could not be searched:', matches, ''),
          ],
      tables: [],
      changes: isKnown,
      fingerprint: [matches.rows, matches.mentions, matches.files.length].join(' '),
    };
  },
  outcome(_planned, { matches, cleared, deleted, proof }) {
    const { dismissed, records, answers, issues, corrections } = cleared;
    return [
      `${matchesText(matches)}.`,
      `Erased: ${countOf(records, 'record')}, ${countOf(answers, 'answer')}, ${countOf(issues, 'issue')}, ${countOf(corrections, 'correction')}; ${countOf(dismissed, 'row')} will not be sent.`,
      `Proof: ${proof.bytes} bytes of the ledger's files and ${countOf(proof.rows, 'kept row')} were searched after the rewrite.`,
      ...(proof.remaining.length === 0
        ? ['Nothing of the person remains in the ledger but salted hashes.']
        : proof.remaining.map(({ place, count }) => `Remaining: ${count} in ${place}.`)),
      ...(deleted.length > 0 ? [`${deleted.length} report files were deleted.`] : []),
      ...remainingLines(matches),
    ];
  },
  document: documentOf,
  leavesWork: ({ near }, done) =>
    near !== null || (done !== null && done.proof.remaining.length + done.matches.files.length > 0),
};

interface Forgetting {
  readonly request: RequestOf<'forget'>;
  readonly learners: readonly IdentifiedLearner[];
  readonly matches: LearnerMatches;
  /** Where nothing is known of the person: known identifiers that may be meant, nearest first, for the terminal alone; else null. */
  readonly near: readonly string[] | null;
}

type Forgotten = ErasedLearner & { readonly decisionId: number };

function matchesText({ states, rows, mentions }: LearnerMatches): string {
  const submissions = Object.values(states).reduce((sum, count) => sum + count, 0);
  return `${countOf(submissions, 'submission')}, ${countOf(rows, 'row')} with content; ${countOf(mentions, 'row')} about others ${agreeing(mentions, 'names', 'name')} the person`;
}

function remainingLines(matches: LearnerMatches): string[] {
  return [
    ...(matches.mentions > 0
      ? ['Rows about others may be about the same person by another identifier: forget that one as well.']
      : []),
    ...fileLines('Files that name the person, or may. Delete or correct them:', matches),
    'Backups still hold the person: delete the old ones when a new one is made.',
  ];
}

function fileLines(title: string, { files }: LearnerMatches, unsure = ' (could not be searched)'): string[] {
  if (files.length === 0) return [];
  return [title, ...files.map(({ path, isSure }) => `  ${path}${isSure ? '' : unsure}`)];
}

const NONE = { dismissed: 0, records: 0, answers: 0, issues: 0, refusals: 0, corrections: 0 };

function documentOf(planned: Forgetting, done: Forgotten | null, dryRun: boolean): ForgetDocument {
  const { states, rows, mentions, files } = (done ?? planned).matches;
  return {
    dryRun,
    known: planned.near === null,
    didYouMean: planned.near ?? [],
    decision: done?.decisionId ?? null,
    ...{ states, rows, mentions },
    cleared: done?.cleared ?? NONE,
    files: files.map(({ path, isSure }) => ({ path, sure: isSure })),
    deleted: done?.deleted ?? [],
    proof: done?.proof ?? null,
  };
}

async function namedBy(ledger: Ledger, { learner: text, type }: RequestOf<'forget'>) {
  const learners = learnersNamed(ledger, text);
  if (type !== undefined) {
    const idType = identifierType(type, 'type');
    return learners.filter((learner) => learner.type === idType);
  }
  const { withRows } = await knownLearners(
    ledger,
    learners.map(({ hash }) => hash),
  );
  const withData = learners.filter(({ hash }) => withRows.has(hash));
  const types = [...new Set(withData.map((learner) => learner.type))];
  if (types.length <= 1) return learners;
  const message = `the identifier is of ${types.length} types, perhaps of different people`;
  throw refusal('the ledger', message, `Choose one: --type ${types.join(' or --type ')}.`);
}

const refusal = errorsOf('forget a learner');
