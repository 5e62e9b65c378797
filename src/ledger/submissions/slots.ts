import { sql } from 'kysely';
import type { Guarded } from '../../domain/delivery/guard.js';
import type { LearnerHold } from '../../domain/delivery/learner-hold.js';
import type { Slot } from '../../domain/delivery/slot.js';
import { supersedes } from '../../domain/operation-kind.js';
import { operationNamed } from '../../operations/registry.js';
import { stagingDrop } from '../drops/drops.js';
import { all, beginsLike, bytes, type Ledger, query } from '../store/query.js';
import { learnerHold } from './learner-holds.js';
import { SLOT_DIGITS } from './record/keys.js';

/** A submission of a slot, with the other facts that are read before it is sent. */
export interface SlotPeer extends Guarded {
  readonly operation: string;
  readonly nextAttemptAt: string | null;
  readonly resends: number;
}

/** A slot and its learner. */
export interface SlotRef {
  /** Hex. */
  readonly slot: string;
  /** Hex; null where the slot is about no learner. */
  readonly learner: string | null;
  readonly environment: string;
  /** Name of one of the slot's operations. */
  readonly operation: string;
}

/** A submission in its slot. */
export interface Slotted {
  readonly own: SlotPeer;
  readonly slot: Slot<SlotPeer>;
}

/** The facts that decide which submission of a slot goes: its published submissions, and its learner's hold. */
export async function slotAt(ledger: Ledger, slotRef: SlotRef): Promise<Slot<SlotPeer>> {
  const { slot, learner, environment } = slotRef;
  const submissions = await all(
    ledger,
    selectPeers
      .where(beginsLike('m.key', bytes(slot), SLOT_DIGITS))
      .where('m.drop_id', '<>', (await stagingDrop(ledger)) ?? 0),
  );
  const hold = learner === null ? null : await learnerHold(ledger, { environment, learner });
  return slotOf(slotRef, submissions, hold);
}

/** Each of these submissions in its slot, by its number; unpublished ones are left out. */
export async function slotsOf(
  ledger: Ledger,
  submissionIds: readonly number[],
): Promise<ReadonlyMap<number, Slotted>> {
  const slotRefs = await slotRefsOf(ledger, submissionIds);
  const [peers, holds] = [await peersIn(ledger, slotRefs), await holdsIn(ledger, slotRefs)];
  const slots = new Map(
    [...slotRefs].map(([slot, slotRef]) => [
      slot,
      slotOf(slotRef, peers.get(slot) ?? [], holds.get(`${slotRef.environment} ${slotRef.learner}`) ?? null),
    ]),
  );
  const asked = new Set(submissionIds);
  return new Map(
    [...slots.values()].flatMap((slot) =>
      slot.submissions.filter(({ id }) => asked.has(id)).map((own) => [own.id, { own, slot }] as const),
    ),
  );
}

function slotOf(
  { operation }: SlotRef,
  submissions: readonly SlotPeer[],
  hold: LearnerHold | null,
): Slot<SlotPeer> {
  return { submissions, hold, supersedes: supersedes(operationNamed(operation).kind) };
}

/** The slots of the submissions, by their hashes. */
async function slotRefsOf(
  ledger: Ledger,
  submissionIds: readonly number[],
): Promise<ReadonlyMap<string, SlotRef>> {
  const found = await all(
    ledger,
    query
      .selectFrom(eachOf(submissionIds))
      .innerJoin('submission_in_words as s', 's.submission_id', 'chosen.value')
      .select([
        's.environment',
        's.operation',
        sql<string>`lower(hex(s.slot))`.as('slot'),
        sql<string | null>`lower(nullif(hex(s.learner), ''))`.as('learner'),
      ]),
  );
  return new Map(found.map((slotRef) => [slotRef.slot, slotRef]));
}

async function peersIn(
  ledger: Ledger,
  slotRefs: ReadonlyMap<string, SlotRef>,
): Promise<ReadonlyMap<string, SlotPeer[]>> {
  const slot = sql<Buffer>`unhex(chosen.value)`;
  const found = await all(
    ledger,
    selectPeers
      .innerJoin(eachOf([...slotRefs.keys()]), (join) => join.on(beginsLike('m.key', slot, SLOT_DIGITS)))
      .select('chosen.value as slot')
      .where('m.drop_id', '<>', (await stagingDrop(ledger)) ?? 0),
  );
  const peers = new Map<string, SlotPeer[]>();
  for (const { slot, ...peer } of found) {
    const known = peers.get(slot);
    if (known) known.push(peer);
    else peers.set(slot, [peer]);
  }
  return peers;
}

/** The holds of the slots' learners, by environment and learner. */
async function holdsIn(
  ledger: Ledger,
  slotRefs: ReadonlyMap<string, SlotRef>,
): Promise<ReadonlyMap<string, LearnerHold>> {
  const learners = [...slotRefs.values()].map(({ environment, learner }) => [environment, learner ?? '']);
  const found = await all(
    ledger,
    query
      .selectFrom(eachOf(learners))
      .innerJoin('learner_hold as h', (join) =>
        join
          .on('h.environment', '=', sql<string>`chosen.value ->> 0`)
          .on('h.learner', '=', sql<Buffer>`unhex(chosen.value ->> 1)`),
      )
      .select(['h.environment', sql<string>`lower(hex(h.learner))`.as('learner'), 'h.probe_id as probeId']),
  );
  return new Map(
    found.map(({ environment, learner, probeId }) => [`${environment} ${learner}`, { probeId }]),
  );
}

const selectPeers = query
  .selectFrom('submission_in_words as m')
  .select([
    'm.submission_id as id',
    'm.revision',
    'm.occurred as occurredAt',
    'm.state',
    'm.overrides',
    'm.operation',
    'm.next_attempt_at as nextAttemptAt',
    'm.resends',
    sql<string>`lower(hex(m.key))`.as('key'),
  ]);

/** The values as rows of `chosen`. */
function eachOf<T>(values: readonly T[]) {
  return sql<{ readonly value: T }>`json_each(${JSON.stringify(values)})`.as('chosen');
}
