import { type RawBuilder, sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider, Door, EventKind } from '../../domain/decider.js';
import { isAmong } from '../store/dialect.js';
import { all, boundLimit, first, type Ledger, reading, writing } from '../store/query.js';
import type { Tables } from '../store/schema.js';

/** What a person did: a decision by its kind, or an event. */
export type AuditKind = Tables['decision']['kind'] | EventKind | 'token-add' | 'token-revoke';

export interface AuditEntry {
  /** ISO time. */
  readonly at: string;
  readonly kind: AuditKind;
  readonly who: string;
  readonly door: Door;
  /** 1: `who` is the name of a token, by which a program signs in; else 0. */
  readonly isToken: number;
  /** The source of an upload. */
  readonly source: string | null;
  /** The name of an uploaded file, of a token or of a line of the schedule; a cause or an alert; of a change of registrar.yaml its lines. */
  readonly name: string | null;
  /** To whom a cause was assigned, '' where it no longer is; until when an alert was muted, '' where it no longer is. */
  readonly value: string | null;
  /** The drop of an uploaded file's bytes; null: it wasn't imported, or it is a container. */
  readonly dropId: number | null;
  readonly decisionId: number | null;
  /** What a decision is about and what it has done, null where it was not carried out to its end; null for an event. */
  readonly decision: {
    readonly selection: Readonly<Record<string, unknown>>;
    readonly result: Readonly<Record<string, number>> | null;
    readonly finishedAt: string | null;
  } | null;
  /** The reason of a decision or of a muted alert; the comment of an assignment. */
  readonly because: string | null;
}

/**
 * What an event of the audit log is about, by column: an uploaded file, with the name that it is to have and the SHA-256
 * of its bytes; in `about` the lines that a change of registrar.yaml removes and adds; or in `subject` a started line of
 * the schedule. A note of a person holds until the next one about the same `subject`, the code of a cause or `alertName`:
 * `value` is to whom the cause is assigned, or until when the alert is muted, an ISO time ('' where it no longer is), and
 * `about` a comment, or a reason.
 */
type EventFacts = Omit<Tables['audit_event'], 'event_id' | 'kind' | 'who' | 'door' | 'at'>;

const NO_SUBJECT = {
  source: null,
  file_name: null,
  sha256: null,
  subject: null,
  value: null,
  about: null,
};

/**
 * Records an event of the audit log: a person signed in or out, was refused, puts a file into an inbox, changes registrar.yaml,
 * starts a line of the schedule, or says something about a cause or an alert.
 * @param make makes the change, while no other process does the same; finds its work done when it is called again. Where it throws, nothing is recorded.
 */
export function recordEvent(
  ledger: Ledger,
  kind: EventKind,
  who: Decider,
  facts: Partial<EventFacts> = {},
  make?: () => Promise<void>,
): Promise<void> {
  return writing(ledger, async ({ db, clock }) => {
    const event = { kind, who: who.name, door: who.door, at: isoFromMs(clock.nowMs()) };
    await db
      .insertInto('audit_event')
      .values({ ...event, ...NO_SUBJECT, ...facts })
      .execute();
    await make?.();
  });
}

/** The latest note of a kind about each cause or alert, in the order of these. */
export async function latestNotes(ledger: Ledger, kind: 'assign' | 'mute') {
  return all(
    ledger,
    sql<Record<'subject' | 'value' | 'about' | 'who' | 'at', string>>`
      select subject, value, about, who, at from audit_event where event_id in
        (select max(event_id) from audit_event where kind = ${kind} and subject is not null group by subject)
      order by subject`,
  );
}

/** When each person signed in last, by name: ISO times. */
export async function lastSignIns(ledger: Ledger): Promise<ReadonlyMap<string, string>> {
  const latest = sql<{ who: string; at: string }>`
    select who, max(at) as at from audit_event where kind = 'sign-in' group by who`;
  return new Map((await all(ledger, latest)).map(({ who, at }) => [who, at]));
}

/** Reads who uploaded a file or the container that it was in, the latest first, at most 20; none: it came by another way. */
export async function uploadsOf(ledger: Ledger, { source, sha256 }: Record<'source' | 'sha256', string>) {
  return all(
    ledger,
    sql<Decider & { at: string }>`
      select who as name, door, at from audit_event
      where kind = 'upload' and source = ${source} and sha256 in (select ${sha256} union all
        select container_sha256 from contained_file where source = ${source} and sha256 = ${sha256})
      order by event_id desc limit 20`,
  );
}

/** Deletes the events from before the ISO time, but not the notes that still hold. */
export async function purgeEvents(ledger: Ledger, before: string): Promise<void> {
  await all(
    ledger,
    sql`delete from audit_event where at < ${before} and event_id not in (
      select event_id from audit_event where value > case kind when 'mute' then ${isoFromMs(ledger.clock.nowMs())} else '' end
        and event_id in (select max(event_id) from audit_event where kind in ('assign', 'mute') group by kind, subject))`,
  );
}

/** Deletes events, and of a note all that were made before about the same: they would hold again otherwise. */
export async function deleteEvents(ledger: Ledger, ids: readonly number[]): Promise<void> {
  const isLater = isAmong('n.event_id', ids);
  await all(
    ledger,
    sql`delete from audit_event where ${isAmong('event_id', ids)} or (kind in ('assign', 'mute') and exists (
      select 1 from audit_event n where n.kind = audit_event.kind and n.subject = audit_event.subject
        and n.event_id > audit_event.event_id and ${isLater}))`,
  );
}

/** A page of the audit log. A null doesn't filter. */
export interface AuditQuery {
  readonly kind: AuditKind | null;
  /** True: only decisions that are not carried out to their end. */
  readonly isOpen?: boolean;
  readonly who: string | null;
  /** ISO times: from this one on, and before that one. */
  readonly since: string | null;
  readonly until: string | null;
  /** The cursor of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/**
 * Reads a page of what people did, the latest first. `total`: how many entries match; `next`: the cursor of the next
 * page; null: this is the last.
 */
export async function readAuditLog(ledger: Ledger, { after, limit, ...filter }: AuditQuery) {
  return reading(ledger, async (ledger) => {
    const joined = sql`(${entries}) e left join decision d on d.decision_id = e.decision_id`;
    const rows = await all(
      ledger,
      sql<
        Omit<AuditEntry, 'decision'> &
          Record<'selection' | 'result' | 'finishedAt', string | null> & { place: string }
      >`
        select at, e.kind, e.who, e.door, source, name, (case when e.door = 'console' and exists (
          select 1 from api_token t where t.name = e.who) then 1 else 0 end) as "isToken", value, drop_id as "dropId", e.decision_id as "decisionId", e.because,
          d.selection, d.result, d.finished_at as "finishedAt", at || ' ' || origin || ' ' || number as place
        from ${joined} where ${matches(filter)} and ${isAfter(after)}
        order by at desc, origin desc, number desc limit ${boundLimit(limit + 1)}`,
    );
    const counted = sql<{ total: number }>`select count(*) as total from ${joined} where ${matches(filter)}`;
    const shown = rows.slice(0, limit);
    return {
      rows: shown.map(({ place, selection, result, finishedAt, ...entry }): AuditEntry => {
        const outcome = { selection: parsed(selection), result: parsed(result), finishedAt };
        return { ...entry, decision: selection === null ? null : outcome };
      }),
      total: (await first(ledger, counted))?.total ?? 0,
      next: rows.length > limit ? (shown.at(-1)?.place ?? null) : null,
    };
  });
}

function parsed(text: string | null) {
  return JSON.parse(text ?? 'null') as never;
}

/** Each entry has a place in the log: its time, then its table and its number there. */
const entries = sql`
  select at, 1 as origin, event_id as number, kind, who, door, source, coalesce(file_name, subject, about) as name, value, null as decision_id,
    case when subject is not null then about end as because,
    (select max(d.drop_id) from drop_file d where d.source = v.source and d.sha256 = v.sha256) as drop_id
  from audit_event v
  union all select made_at, 2, decision_id, kind, who, door, null, null, null, decision_id, because, null from decision
  union all select added_at, 3, row_number() over (order by added_at, secret_hash), 'token-add', added_by, added_door,
    null, name, null, null, null, null from api_token
  union all select revoked_at, 4, row_number() over (order by added_at, secret_hash), 'token-revoke', revoked_by,
    revoked_door, null, name, null, null, null, null from api_token where revoked_at is not null`;

function matches({ kind, isOpen, who, since, until }: Omit<AuditQuery, 'after' | 'limit'>) {
  return sql<boolean>`${kind === null ? sql`true` : sql`e.kind = ${kind}`}
    and ${isOpen ? sql`e.decision_id is not null and d.finished_at is null` : sql`true`}
    and ${who === null ? sql`true` : sql`e.who = ${who}`}
    and ${since === null ? sql`true` : sql`at >= ${since}`}
    and ${until === null ? sql`true` : sql`at < ${until}`}`;
}

/** Condition: the entry comes after the one at this place; a text that is no place has none after it. */
function isAfter(place: string | null): RawBuilder<boolean> {
  if (place === null) return sql<boolean>`true`;
  const [, at = '', origin = 0, number = 0] = /^(\S+) (\d) (\d{1,15})$/.exec(place) ?? [];
  return sql<boolean>`(at, origin, number) < (${at}, ${Number(origin)}, ${Number(number)})`;
}
