import { type InferResult, sql } from 'kysely';
import type { Slot } from '../../domain/delivery/slot.js';
import { grouped } from '../../domain/grouped.js';
import { supersedes } from '../../domain/operation-kind.js';
import { familyOf, operationNamed } from '../../operations/registry.js';
import { isStaged } from '../drops/drops.js';
import { isAmong } from '../store/dialect.js';
import { all, type Ledger, query } from '../store/query.js';
import { haveSame, SLOT } from './columns.js';

/** A submission of a slot, with the facts that are needed before it is sent. */
export type SlotPeer = InferResult<typeof selectPeers>[number];

/** A slot: learner and content by number, 0 for no learner. */
export interface SlotRef {
  readonly learnerId: number;
  readonly contentId: number;
  readonly environment: string;
  /** The name of one of the slot's operations. */
  readonly operation: string;
}

export function slotText({ learnerId, contentId, environment, operation }: SlotRef): string {
  return `${learnerId}/${contentId}/${environment}/${operationNamed(operation).family}`;
}

/** The facts that decide which submission of a slot goes first: its published submissions, and its learner's hold. */
export async function slotAt(ledger: Ledger, { learnerId, contentId, environment, operation }: SlotRef) {
  const submissions = await all(
    ledger,
    selectPeers
      .where('m.learner_id', '=', learnerId)
      .where('m.content_id', '=', contentId)
      .where('m.environment', '=', environment)
      .where('m.operation', 'in', familyOf(operation))
      .where(isStaged('m.drop_id')),
  );
  return slotOf(operation, submissions);
}

/** The learner's number in a record without a learner. */
export const NO_LEARNER = 0;

/** The slot of each of these submissions, by submission number, without unpublished ones. */
export async function slotsOf(ledger: Ledger, submissionIds: readonly number[]) {
  const peers = await all(
    ledger,
    selectPeers
      .innerJoin('submission as own', (join) => join.on(haveSame(SLOT, 'own', 'm')))
      .select(['m.learner_id as learnerId', 'm.content_id as contentId', 'm.environment'])
      .distinct()
      .where(isAmong('own.submission_id', submissionIds))
      .where(isStaged('m.drop_id')),
  );
  const requested = new Set(submissionIds);
  const slots = [...grouped(peers, slotText).values()].flatMap((submissions) => {
    const own = submissions.filter(({ id }) => requested.has(id));
    return own.map((one) => [one.id, { own: one, slot: slotOf(one.operation, submissions) }] as const);
  });
  return new Map(slots);
}

function slotOf(operation: string, submissions: readonly SlotPeer[]): Slot<SlotPeer> {
  const [first] = submissions;
  const hold = first === undefined || first.heldLearner === null ? null : { probeId: first.probeId };
  return { submissions, hold, supersedes: supersedes(operationNamed(operation).kind) };
}

/** Column `occurredAt`: null where the submissions of the slot are ordered by arrival. */
export function occurredAt<T extends string>(alias: T) {
  return sql<string | null>`nullif(${sql.ref(`${alias}.occurred_at`)}, '')`.as('occurredAt');
}

const selectPeers = query
  .selectFrom('submission_record as m')
  .leftJoin('learner_hold as h', (join) =>
    join.onRef('h.environment', '=', 'm.environment').onRef('h.learner_id', '=', 'm.learner_id'),
  )
  .select(['m.submission_id as id', 'm.revision', occurredAt('m'), 'm.state', 'm.overrides', 'm.operation'])
  .select(['m.next_attempt_at as nextAttemptAt', 'm.resends'])
  // The hold of their learner, which they share.
  .select(['h.learner_id as heldLearner', 'h.probe_id as probeId']);
