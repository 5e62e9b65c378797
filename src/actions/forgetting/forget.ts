import type { Decider } from '../../domain/decider.js';
import type { Identified } from '../../domain/learners/corrected-learners.js';
import { OperatorError } from '../../domain/operator-error.js';
import { mentionsOf } from '../../domain/text/mentions.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import { findPerson, nearPeople } from '../../ledger/erasure/forget-person.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { ActionContext } from '../context.js';
import { decide } from '../decision/decide.js';
import { identifierType } from '../learners/learner-to-map.js';
import { learnersNamed } from '../learners/learners-named.js';
import { type ErasedPerson, forgetHandler, type PersonFound } from './handler.js';
import { namingFiles } from './naming-files.js';

/** Who is to be forgotten. Personal. */
export interface ForgetRequest {
  /** An identifier as people write it. */
  readonly learner: string;
  /** The identifier's type, such as `Email`; undefined: any type, unless the identifier may name several people. */
  readonly type?: string | undefined;
  /** True: reports that name the person are deleted. */
  readonly reports: boolean;
}

/** What forgetting a person would erase. */
export interface Forgetting {
  /** The learners whom the identifier may name, one for each type. Personal. */
  readonly learners: readonly Identified[];
  readonly reports: boolean;
  readonly found: PersonFound;
}

/** Nothing is known of the person: there is nothing to erase. */
export interface UnknownPerson {
  readonly found: PersonFound;
  /** Known identifiers that may be meant, nearest first. Personal: for the operator's terminal alone. */
  readonly near: readonly string[];
}

/** What forgetting a person has done. */
export interface Forgotten extends ErasedPerson {
  readonly decisionId: number;
}

/**
 * Works out what there is about the person; writes nothing. Throws OperatorError where the identifier may name two people,
 * because nothing would bring the other person back. Its sentences don't repeat the identifier.
 */
export async function plan(
  context: ActionContext,
  request: ForgetRequest,
): Promise<Forgetting | UnknownPerson> {
  const { ledger } = context;
  const { reports } = request;
  if (request.learner.trim() === '') {
    throw refusal('the identifier is empty', 'Name the learner as the files do.');
  }
  const learners = await namedBy(ledger, request);
  const { identifiers, isKnown, ...inLedger } = await findPerson(ledger, learners);
  const found = { ...inLedger, files: await namingFiles(context, mentionsOf(identifiers)) };
  if (isKnown || found.files.some(({ isSure }) => isSure)) return { learners, reports, found };
  return { found, near: await nearPeople(ledger, learners) };
}

/**
 * Erases the person from the ledger for good, and searches for anything that is left. Submissions that would still be sent
 * are dismissed, and the content of the person's rows is erased. A salted hash stays, by which later rows about the person
 * are recognised and not kept. No process may stage or deliver meanwhile. If this process dies, the next one finishes the
 * erasure.
 */
export async function carryOut(
  context: ActionContext,
  { learners, reports }: Forgetting,
  who: Decider,
  because: string,
): Promise<Forgotten> {
  const asked = { operation: 'forget a learner', subject: 'the ledger' };
  const forget = { kind: 'forget' as const, learners, reports, who, because };
  const open = async () => openDecision(context.ledger, forget);
  const { decisionId, done } = await decide(context, forgetHandler, open, { asked });
  return { ...done, decisionId };
}

async function namedBy(
  ledger: Ledger,
  { learner: text, type }: ForgetRequest,
): Promise<readonly Identified[]> {
  const named = learnersNamed(ledger, text);
  if (type !== undefined) {
    const meant = identifierType(type, '--type');
    return named.filter((learner) => learner.type === meant);
  }
  const { withRows } = await knownLearners(
    ledger,
    named.map(({ hash }) => hash),
  );
  const known = named.filter(({ hash }) => withRows.has(hash));
  const types = [...new Set(known.map((learner) => learner.type))];
  if (types.length <= 1) return named;
  throw refusal(
    `the identifier is of ${types.length} types, perhaps of as many people`,
    `Choose one: --type ${types.join(' or --type ')}.`,
  );
}

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'forget a learner', subject: 'the ledger', message, hint });
}
