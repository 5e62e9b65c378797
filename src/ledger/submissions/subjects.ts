import { type RawBuilder, sql } from 'kysely';
import type { Learner } from '../../domain/learner.js';
import type { Content } from '../../domain/record.js';
import { bytes, each, type Ledger, prepared, query } from '../store/query.js';
import { NO_LEARNER } from './slots.js';

/** Numbers of learners and contents that a staging has met, by their hashes. */
export interface KnownNumbers {
  readonly learners: Map<string, number>;
  readonly contents: Map<string, number>;
}

/** No numbers yet. */
export function knownNumbers(): KnownNumbers {
  return { learners: new Map(), contents: new Map() };
}

/** To be called when a transaction fails that may have given numbers. */
export function forgetNumbers({ learners, contents }: KnownNumbers): void {
  learners.clear();
  contents.clear();
}

/** More learners or contents than this are looked up again, so that memory has a bound. */
const MOST_KNOWN = 100_000;

/** The number of a learner, who gets one here, and the identifier again where an erasure had cleared it. Call in a transaction. */
export function numberOfLearner(
  ledger: Ledger,
  known: KnownNumbers,
  hash: string | null,
  learner: Learner | null,
): number {
  if (hash === null || learner === null) return NO_LEARNER;
  const { type, id } = learner;
  return numbered(known.learners, hash, () =>
    inserted(ledger, INSERT_LEARNER, { hash: bytes(hash), type, id }, LEARNER_OF_HASH),
  );
}

const INSERT_LEARNER = `insert into learner (hash, type, identifier) values (@hash, @type, @id)
  on conflict (hash) do update set identifier = excluded.identifier where identifier is null`;
const LEARNER_OF_HASH = 'select learner_id from learner where hash = ?';

/** The number of a content, which gets one here, and its title where it had none. Call in a transaction. */
export function numberOfContent(ledger: Ledger, known: KnownNumbers, hash: string, content: Content): number {
  return numbered(known.contents, hash, () =>
    inserted(ledger, INSERT_CONTENT, { ...content, hash: bytes(hash) }, CONTENT_OF_HASH),
  );
}

const INSERT_CONTENT = `insert into content (hash, type, identifier_type, identifier, part, title)
  values (@hash, @type, @idType, @id, @part, @title)
  on conflict (hash) do update set title = excluded.title where title is null and excluded.title is not null`;
const CONTENT_OF_HASH = 'select content_id from content where hash = ?';

function numbered(known: Map<string, number>, hash: string, find: () => number): number {
  const before = known.get(hash);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const found = find();
  known.set(hash, found);
  return found;
}

function inserted(
  ledger: Ledger,
  insert: string,
  values: { readonly hash: Buffer; readonly [name: string]: unknown },
  find: string,
): number {
  prepared(ledger, insert).run(values);
  return prepared(ledger, find).pluck().get(values.hash) as number;
}

/**
 * The learners whose identifier is kept, one by one. Personal.
 * @param environment only those of whom it has accepted a record; left out: all.
 */
export async function* knownLearners(ledger: Ledger, environment?: string): AsyncGenerator<Learner> {
  const learners = query
    .selectFrom('learner as l')
    .select(['l.type', sql<string>`l.identifier`.as('id')])
    .where('l.identifier', 'is not', null);
  const accepted = (name: string) =>
    learners.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('submission as s')
          .innerJoin('environment as e', 'e.environment_id', 's.environment_id')
          .select('s.submission_id')
          .whereRef('s.learner_id', '=', 'l.learner_id')
          .where('s.state', '=', sql.lit('accepted'))
          .where('e.name', '=', name),
      ),
    );
  yield* each(ledger, environment === undefined ? learners : accepted(environment));
}

/** Condition on the column with a learner's number: it is one of these learners (hex hashes). */
export function isOneOf(column: string, learners: readonly string[]): RawBuilder<boolean> {
  if (learners.length === 0) return sql<boolean>`false`;
  return sql<boolean>`${sql.ref(column)} in (
    select l.learner_id from learner l where l.hash in (${sql.join(learners.map(bytes))}))`;
}
