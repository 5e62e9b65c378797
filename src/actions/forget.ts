import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Identified } from '../ledger/corrections.js';
import { openDecision, unfinishedDecision } from '../ledger/decision-log.js';
import { keepIdentifiers } from '../ledger/forget-identifiers.js';
import { rowsOfLearner } from '../ledger/forgetting.js';
import { breathe } from '../ledger/pages.js';
import { type Ledger, writing } from '../ledger/query.js';
import { suppressLearners } from '../ledger/suppressions.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { type ErasedPerson, forgetDeed, type PersonFound } from './forgetting/deed.js';
import { findCells } from './forgetting/kept-cells.js';
import { namingFiles } from './forgetting/naming-files.js';
import { personOf, statesOf, throughCorrections } from './forgetting/person.js';
import { requireQuiet } from './forgetting/quiet.js';
import { identifierType } from './learners/learner-to-map.js';
import { learnersNamed } from './learners/learners-named.js';

/** Who is to be forgotten. Personal. */
export interface ForgetRequest {
  /** An identifier as people write it. */
  readonly learner: string;
  /** What it is, such as `Email`; undefined: whatever it is, unless that may be several people. */
  readonly type?: string | undefined;
  /** True: generated reports that name the person are deleted. */
  readonly reports: boolean;
}

/** What forgetting a person would erase. */
export interface Forgetting {
  /** Whoever the identifier may name, by each type. Personal. */
  readonly learners: readonly Identified[];
  readonly reports: boolean;
  readonly found: PersonFound;
}

/** What forgetting a person has done. */
export interface Forgotten extends ErasedPerson {
  readonly decisionId: number;
}

/**
 * Works out what there is of the person; writes nothing. Throws OperatorError where the identifier may name two people:
 * nothing would bring the other one back. Sentences don't repeat the identifier.
 */
export async function plan(context: ActionContext, request: ForgetRequest): Promise<Forgetting> {
  const { ledger } = context;
  const { reports } = request;
  if (request.learner.trim() === '') {
    throw refusal('the identifier is empty', 'Name the learner as the files do.');
  }
  const learners = namedBy(ledger, request);
  const person = personOf(ledger, throughCorrections(ledger, learners));
  const cells = { rows: 0, mentions: 0 };
  const pages = findCells(ledger, person, ({ rows, mentions }) => {
    cells.rows += rows;
    cells.mentions += mentions;
  });
  for (const _ of pages) await breathe();
  const files = await namingFiles(context, person.mentions);
  return { learners, reports, found: { ...cells, states: statesOf(person), files } };
}

/**
 * Erases the person from the ledger for good, and looks whether anything is left. What would still be sent is dismissed,
 * the content of the person's rows goes, and a salted hash stays, by which later rows about the person are recognised and
 * not kept. Nobody may stage or deliver meanwhile. Where this process dies, the next one finishes it.
 */
export async function carryOut(
  context: ActionContext,
  { learners, reports }: Forgetting,
  who: Decider,
  because: string,
): Promise<Forgotten> {
  const asked = { operation: 'forget a learner', subject: 'the ledger' };
  const open = () => openForget(context.ledger, { learners, reports }, who, because);
  const { decisionId, done } = await decide(context, forgetDeed, open, { asked });
  return { ...done, decisionId };
}

function openForget(
  ledger: Ledger,
  { learners, reports }: Omit<Forgetting, 'found'>,
  who: Decider,
  because: string,
): number {
  return writing(ledger, () => {
    const named = throughCorrections(ledger, learners);
    requireQuiet(ledger, personOf(ledger, named), FINISH_FIRST);
    const selection = { learners: named.hashes, reports };
    const id =
      unfinishedDecision(ledger, 'forget', selection) ??
      openDecision(ledger, { kind: 'forget', who, because, selection });
    suppressLearners(ledger, named.hashes, id);
    keepIdentifiers(ledger, id, named.identifiers);
    return id;
  });
}

const FINISH_FIRST = {
  hint: 'Let registrar run go on with what an interrupted one has left, then forget again.',
  exit: 'usage',
} as const;

function namedBy(ledger: Ledger, { learner: text, type }: ForgetRequest): readonly Identified[] {
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

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'forget a learner', subject: 'the ledger', message, hint });
}
