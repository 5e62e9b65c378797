import { sql } from 'kysely';
import type { Alert } from '../../domain/alerts/alert.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { inTurn } from '../../domain/process/in-turn.js';
import { type Outage, outagesIn, workedUntil } from '../attempts/outages.js';
import { equationsIn } from '../books/equations.js';
import { type AttentionCause, causesIn, needsAttention, unresolved } from '../books/rows/attention.js';
import { type RefusedDrop, refusedDrops } from '../drops/refused/refused-drops.js';
import { all, first, type Ledger, query, reading } from '../store/query.js';
import { type FailingChannel, failingChannels, openAlerts } from './kept-alerts.js';

/** What alerts are decided from, besides the present state. */
export interface Watched {
  /** ISO time at which the ledger was made. */
  readonly since: string;
  /** Why rows need attention, for each source. */
  readonly causes: readonly SourceCause[];
  /** For each source with published drops: the rows of its last day of drops. */
  readonly shares: readonly SourceShare[];
  /** Of the sources that were asked about. */
  readonly drops: readonly SourceDrops[];
  /** Open set-aside files. */
  readonly setAside: readonly RefusedDrop[];
  /** The outages that last. */
  readonly outages: readonly (Outage & { readonly workedUntil: string | null })[];
  /** The latest run whose books don't balance now, with the count of its equations that don't hold; null: there is none. */
  readonly unbalanced: { readonly run: number; readonly equations: number } | null;
  /** Of the channels that were asked about. */
  readonly failing: readonly FailingChannel[];
  readonly open: readonly Alert[];
}

/** A cause of rows that need attention, in one source. */
export interface SourceCause extends AttentionCause {
  readonly source: string;
  readonly rows: number;
  /** The names of the first files that have them. May name a person. */
  readonly files: readonly string[];
}

interface SourceShare {
  readonly source: string;
  /** Rows of data. */
  readonly rows: number;
  /** Those that need attention now. */
  readonly attention: number;
}

interface SourceDrops {
  readonly source: string;
  /**
   * ISO times at which files came in the last month, set aside or known already ones too; the latest thousand. Where none did, the
   * time of the latest one; empty: none ever came.
   */
  readonly arrivals: readonly string[];
  /** Rows of data of the latest published files, the newest first. */
  readonly sizes: readonly number[];
}

const DAY_MS = 24 * 3_600_000;
const ARRIVALS_SINCE_MS = 31 * DAY_MS;
const MOST_ARRIVALS = 1_000;
/** The latest drop, and the ten that it is compared with. */
const SIZES = 11;
/** So many of the runs that found their books unbalanced are looked at again. */
const UNBALANCED_RUNS = 20;
const MOST_FILES = 5;
/** Further ones count under our own name for the cause. */
const MOST_CODES = 100;

/**
 * Reads what alerts are decided from: rows that need attention, drops as they came, files set aside, outages, books that don't
 * balance, open alerts.
 */
export async function readWatched(
  ledger: Ledger,
  asked: { readonly sources: readonly string[]; readonly channels: readonly string[] },
): Promise<Watched> {
  return reading(ledger, async (ledger) => ({
    since: (await first(ledger, query.selectFrom('ledger').select('created_at as at')))?.at ?? '',
    causes: await causesBySource(ledger),
    shares: await sharesBySource(ledger),
    drops: await inTurn(asked.sources, async (source) => ({
      source,
      arrivals: await arrivalsOf(ledger, source),
      sizes: await sizesOf(ledger, source),
    })),
    setAside: await refusedDrops(ledger),
    outages: await inTurn(await outagesIn(ledger, {}), async (outage) => ({
      ...outage,
      workedUntil: await workedUntil(ledger, outage),
    })),
    unbalanced: await unbalancedRun(ledger),
    failing: (await failingChannels(ledger)).filter(({ channel }) => asked.channels.includes(channel)),
    open: await openAlerts(ledger),
  }));
}

/**
 * One entry for each source and code, most rows first: where several states or causes have one code, the one with the most rows
 * names them. A platform that gives each refusal a code of its own makes no alert of each.
 */
async function causesBySource(ledger: Ledger): Promise<SourceCause[]> {
  const causes = await causesIn(ledger, {});
  const sources = await sourcesOf(
    ledger,
    causes.flatMap(({ drops }) => drops.map(({ dropId }) => dropId)),
  );
  const found = new Map<string, SourceCause>();
  for (const { state, cause, code: given, drops } of causes) {
    const code = SHOWABLE.test(given) ? given : cause;
    for (const { dropId, file, count } of drops) {
      const source = sources.get(dropId) ?? '';
      const own = JSON.stringify([source, code]);
      const isOneMore = !found.has(own) && found.size >= MOST_CODES;
      const key = isOneMore ? JSON.stringify([source, cause]) : own;
      const known = found.get(key) ?? {
        source,
        state,
        cause,
        code: isOneMore ? cause : code,
        rows: 0,
        files: [],
      };
      const files = known.files.includes(file) ? known.files : [...known.files, file].slice(0, MOST_FILES);
      found.set(key, { ...known, rows: known.rows + count, files });
    }
  }
  return [...found.values()];
}

/** A platform's code that looks like one: an address, or a sentence, isn't told. */
const SHOWABLE = /^[\w.:/-]{1,64}$/;

async function sourcesOf(ledger: Ledger, dropIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['drop_id as dropId', 'source'])
      .where(
        sql<boolean>`drop_id in (select value from json_each(${JSON.stringify([...new Set(dropIds)])}))`,
      ),
  );
  return new Map(drops.map(({ dropId, source }) => [dropId, source]));
}

async function sharesBySource(ledger: Ledger): Promise<SourceShare[]> {
  const latest = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['source', sql<string>`max(published_at)`.as('at')])
      .where('state', '=', 'published')
      .groupBy('source'),
  );
  return inTurn(latest, async ({ source, at }) => {
    const ofDay = sql<boolean>`d.state = 'published' and d.source = ${source}
      and d.published_at > ${isoFromMs(msFromIso(at) - DAY_MS)}`;
    const drops = query.selectFrom('drop_file as d').where(ofDay);
    const counted = await first(
      ledger,
      drops.select(sql<number>`coalesce(sum(${ROWS_OF_DATA}), 0)`.as('rows')),
    );
    const invalid = await first(
      ledger,
      query
        .selectFrom('row as r')
        .select(sql<number>`count(*)`.as('count'))
        .where('r.drop_id', 'in', drops.select('d.drop_id').where('d.invalid', '>', 0))
        .where('r.disposition', '=', 'invalid')
        .where(unresolved),
    );
    const open = await first(
      ledger,
      query
        .selectFrom('submission as s')
        .select(sql<number>`count(*)`.as('count'))
        .where('s.drop_id', 'in', drops.select('d.drop_id'))
        .where(needsAttention),
    );
    return { source, rows: counted?.rows ?? 0, attention: (invalid?.count ?? 0) + (open?.count ?? 0) };
  });
}

/** Of `drop_file as d`. */
const ROWS_OF_DATA = sql`d.rows_read - d.non_data - d.blank`;

async function arrivalsOf(ledger: Ledger, source: string): Promise<string[]> {
  const lately = await arrivalsSince(ledger, source, isoFromMs(ledger.clock.nowMs() - ARRIVALS_SINCE_MS));
  return lately.length > 0 ? lately : (await arrivalsSince(ledger, source, '')).slice(0, 1);
}

/** The latest first. */
async function arrivalsSince(ledger: Ledger, source: string, since: string): Promise<string[]> {
  const found = await all(
    ledger,
    query
      .selectFrom(
        query
          .selectFrom('drop_file as d')
          .select('d.taken_at as at')
          .where('d.source', '=', source)
          .union(
            query
              .selectFrom('arrival as a')
              .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
              .select('a.arrived_at as at')
              .where('d.source', '=', source),
          )
          .as('came'),
      )
      .select('at')
      .where('at', '>=', since)
      .orderBy('at', 'desc')
      .limit(MOST_ARRIVALS),
  );
  return found.map(({ at }) => at);
}

/** A workbook whose sheets are a drop each is one file. */
async function sizesOf(ledger: Ledger, source: string): Promise<number[]> {
  const found = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([sql<number>`sum(${ROWS_OF_DATA})`.as('rows'), sql<string>`max(d.published_at)`.as('at')])
      .where('d.state', '=', 'published')
      .where('d.source', '=', source)
      .groupBy('d.sha256')
      .orderBy('at', 'desc')
      .orderBy(sql`max(d.drop_id)`, 'desc')
      .limit(SIZES),
  );
  return found.map(({ rows }) => rows);
}

async function unbalancedRun(ledger: Ledger): Promise<Watched['unbalanced']> {
  const runs = await all(
    ledger,
    query
      .selectFrom('run')
      .select('run_id as run')
      .where('ending', '=', 'unbalanced')
      .orderBy('run_id', 'desc')
      .limit(UNBALANCED_RUNS),
  );
  for (const { run } of runs) {
    const broken = (await equationsIn(ledger, { runId: run })).filter(({ holds }) => !holds);
    if (broken.length > 0) return { run, equations: broken.length };
  }
  return null;
}
