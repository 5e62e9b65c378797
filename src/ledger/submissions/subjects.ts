import { type RawBuilder, sql } from 'kysely';
import type { Learner } from '../../domain/learners/learner.js';
import type { Content } from '../../domain/record.js';
import { bytes, each, type Ledger, prepared, query } from '../store/query.js';
import { NO_LEARNER } from './slots.js';

/** Numbers of learners and contents that a staging has met, by their hashes. */
export interface KnownNumbers {
  readonly learners: Places;
  readonly contents: Places;
}

/**
 * Numbers by hash. Each hash has one place, of which there are so many that most hashes have theirs alone, and the later of two
 * takes it: memory has a bound, and a million learners who each occur once cost nothing.
 */
interface Places {
  /** How many digits of a hash are its place. */
  readonly digits: number;
  readonly hashes: string[];
  readonly numbers: number[];
}

/** No numbers yet. @param isMany true where a million rows may follow; else there are few places. */
export function knownNumbers(isMany = false): KnownNumbers {
  const digits = isMany ? 4 : 1;
  return { learners: noPlaces(digits), contents: noPlaces(digits) };
}

/** To be called when a transaction fails that may have given numbers. */
export function forgetNumbers({ learners, contents }: KnownNumbers): void {
  learners.hashes.fill('');
  contents.hashes.fill('');
}

function noPlaces(digits: number): Places {
  const places = 16 ** digits;
  return { digits, hashes: new Array(places).fill(''), numbers: new Array(places).fill(0) };
}

/** The number of a learner, who gets one here, and the identifier again where an erasure had cleared it. Call in a transaction. */
export function numberOfLearner(
  ledger: Ledger,
  known: KnownNumbers,
  hash: string | null,
  learner: Learner | null,
): number {
  if (hash === null || learner === null) return NO_LEARNER;
  return numbered(known.learners, hash, () => {
    const key = bytes(hash);
    const { changes, lastInsertRowid } = prepared(ledger, INSERT_LEARNER).run(key, learner.type, learner.id);
    if (changes === 1) return Number(lastInsertRowid);
    prepared(ledger, RENAME_LEARNER).run(learner.id, key);
    return prepared(ledger, LEARNER_OF_HASH).pluck().get(key) as number;
  });
}

const INSERT_LEARNER = 'insert into learner (hash, type, identifier) values (?, ?, ?) on conflict do nothing';
const RENAME_LEARNER = 'update learner set identifier = ? where hash = ? and identifier is null';
const LEARNER_OF_HASH = 'select learner_id from learner where hash = ?';

/** The number of a content, which gets one here, and its title where it had none. Call in a transaction. */
export function numberOfContent(ledger: Ledger, known: KnownNumbers, hash: string, content: Content): number {
  return numbered(known.contents, hash, () => {
    const key = bytes(hash);
    prepared(ledger, INSERT_CONTENT).run({ ...content, key });
    if (content.title !== null) prepared(ledger, ENTITLE_CONTENT).run(content.title, key);
    return prepared(ledger, CONTENT_OF_HASH).pluck().get(key) as number;
  });
}

const INSERT_CONTENT = `insert into content (hash, type, identifier_type, identifier, part, title)
  values (@key, @type, @idType, @id, @part, @title) on conflict do nothing`;
const ENTITLE_CONTENT = 'update content set title = ? where hash = ? and title is null';
const CONTENT_OF_HASH = 'select content_id from content where hash = ?';

function numbered({ digits, hashes, numbers }: Places, hash: string, find: () => number): number {
  const place = Number.parseInt(hash.slice(0, digits), 16);
  if (hashes[place] === hash) return numbers[place] as number;
  const found = find();
  hashes[place] = hash;
  numbers[place] = found;
  return found;
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
