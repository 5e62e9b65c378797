import { sql } from 'kysely';
import { inTurn } from '../../../domain/process/in-turn.js';
import { STATES, type State } from '../../../domain/submission.js';
import { all, first, type Ledger, query } from '../../store/query.js';
import { isValue } from './row-streams.js';
import { groupsIn, INDEXED_STATES, type StateGroup } from './state-groups.js';

/** How many submissions of a drop are in a state for one reason. */
export interface DropGroup extends StateGroup {
  readonly dropId: number;
  readonly count: number;
}

type Counts = Partial<Record<State, number>>;

/**
 * The submissions of these published drops by state, states without any left out. From indexes alone: those that were accepted,
 * which may be a million, are those that are in no other state.
 */
export async function statesOfDrops(
  ledger: Ledger,
  dropIds: readonly number[],
): Promise<ReadonlyMap<number, Counts>> {
  const counts = new Map<number, Map<State, number>>(dropIds.map((id) => [id, new Map()]));
  const add = (dropId: number, state: State, count: number) => {
    const known = counts.get(dropId);
    known?.set(state, (known.get(state) ?? 0) + count);
  };
  for (const { dropId, state, count } of await groupsOfDrops(ledger, dropIds)) add(dropId, state, count);
  for (const { dropId, count } of await sendingOf(ledger, dropIds)) add(dropId, 'sending', count);
  const made = await madeOf(ledger, dropIds);
  for (const { dropId, count } of await waitingOf(ledger, made)) add(dropId, 'waiting', count);
  for (const { dropId, staged, decided } of made) {
    const others = [...(counts.get(dropId)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
    add(dropId, 'accepted', staged + decided - others);
  }
  return new Map([...counts].map(([dropId, found]) => [dropId, inOrder(found)]));
}

function inOrder(found: ReadonlyMap<State, number>): Counts {
  return Object.fromEntries(
    STATES.flatMap((state) => {
      const count = found.get(state) ?? 0;
      return count > 0 ? [[state, count] as const] : [];
    }),
  );
}

/** Why submissions of these drops are not delivered, or were closed. */
export async function groupsOfDrops(ledger: Ledger, dropIds: readonly number[]): Promise<DropGroup[]> {
  const groups = (await inTurn(INDEXED_STATES, async (state) => groupsIn(ledger, state))).flat();
  return (
    await inTurn(groups, async (group) => {
      const { state, cause, platformCode } = group;
      // The state as a literal, so that SQLite uses the index; named, because that of drops would read all their rows.
      const ofGroup = sql<{ dropId: number; count: number }>`(select s.drop_id as "dropId", count(*) as count
        from submission s indexed by submission_attention
        where s.state = ${sql.lit(state)} and ${isValue('s.cause', cause)} and ${isValue('s.platform_code', platformCode)}
          and ${isAmong('s.drop_id', dropIds)}
        group by s.drop_id)`;
      const counted = await all(ledger, query.selectFrom(ofGroup.as('g')).select(['g.dropId', 'g.count']));
      return counted.map((one) => ({ ...group, ...one }));
    })
  ).flat();
}

async function sendingOf(ledger: Ledger, dropIds: readonly number[]) {
  // Those under way are few. By the index's name, and grouped by no column: that of drops would read all their rows.
  const sending = sql<{ dropId: number; count: number }>`(select +s.drop_id as "dropId", count(*) as count
    from submission s indexed by submission_sending
    where s.state = 'sending' and +s.drop_id in (select value from json_each(${JSON.stringify(dropIds)}))
    group by +s.drop_id)`;
  return all(ledger, query.selectFrom(sending.as('g')).select(['g.dropId', 'g.count']));
}

/** A published drop, with how many submissions it has from staging and from decisions. */
interface MadeOf {
  readonly dropId: number;
  readonly staged: number;
  readonly decided: number;
  /** Those from staging have numbers after this one. */
  readonly after: number;
}

async function madeOf(ledger: Ledger, dropIds: readonly number[]): Promise<MadeOf[]> {
  return all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        'd.drop_id as dropId',
        sql<number>`d.staged + d.amended + d.further`.as('staged'),
        sql<number>`(select count(*) from submission r indexed by submission_rare
          where r.drop_id = d.drop_id and r.decision_id is not null)`.as('decided'),
        'd.after_submission as after',
      ])
      .where('d.state', '=', 'published')
      .where(isAmong('d.drop_id', dropIds)),
  );
}

/** Submissions of a drop that wait: one drop is staged at a time, so that its submissions have numbers of their own. */
async function waitingOf(
  ledger: Ledger,
  drops: readonly MadeOf[],
): Promise<{ dropId: number; count: number }[]> {
  const some = await first(
    ledger,
    query
      .selectFrom('environment as e')
      .select('e.environment_id as id')
      .where(sql<boolean>`exists (select 1 from submission s
        where s.environment_id = e.environment_id and s.state = 'waiting')`),
  );
  if (some === undefined) return [];
  const begins = (await all(ledger, query.selectFrom('drop_file').select('after_submission as after')))
    .map(({ after }) => after)
    .sort((a, b) => a - b);
  return inTurn(drops, async ({ dropId, staged, after }) => {
    const upTo = begins.find((begin) => begin > after) ?? Number.MAX_SAFE_INTEGER;
    const counted = await first(
      ledger,
      query.selectNoFrom([
        sql<number>`(select coalesce(sum((select count(*) from submission s where s.environment_id = e.environment_id
            and s.priority in (0, 1) and s.state = 'waiting' and s.submission_id > ${after} and s.submission_id <= ${upTo})), 0)
          from environment e)`.as('numbered'),
        // Of decisions that were made meanwhile.
        sql<number>`(select count(*) from submission r indexed by submission_rare where r.decision_id is not null
          and r.submission_id > ${after} and r.submission_id <= ${upTo} and +r.state = 'waiting')`.as(
          'among',
        ),
        sql<number>`(select count(*) from submission r indexed by submission_rare where r.drop_id = ${dropId}
          and r.decision_id is not null and +r.state = 'waiting')`.as('decided'),
      ]),
    );
    const { numbered = 0, among = 0, decided = 0 } = counted ?? {};
    return { dropId, count: decided + (staged === 0 ? 0 : numbered - among) };
  });
}

function isAmong(column: string, ids: readonly number[]) {
  return sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
}
