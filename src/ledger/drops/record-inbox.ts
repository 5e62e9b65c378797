import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropIdentity } from '../../domain/drop.js';
import { putRow, rowOf, updateRows } from '../store/by-key.js';
import { type Ledger, writing } from '../store/query.js';

/** A fact about the inbox of a source. */
export type InboxNote =
  /** The file system that it is on, while files arrive in it. */
  | { readonly kind: 'file-system'; readonly fileSystem: string }
  /** A container was unpacked; `files`: the SHA-256 of its files. */
  | { readonly kind: 'unpacked'; readonly container: DropIdentity; readonly files: readonly string[] }
  /** A version was fetched: the complete file is in the source's folder, under its name. */
  | { readonly kind: 'fetched'; readonly file: RemoteVersion; readonly sha256: string }
  /** The original of a version was archived or deleted. If it appears again, it is a new file. */
  | { readonly kind: 'settled'; readonly file: RemoteVersion }
  /** A check of the remote place: it can be used, or can't. */
  | ({ readonly kind: 'polled' } & InboxPoll);

/** Records a fact about a source's inbox. */
export async function recordInbox(ledger: Ledger, source: string, note: InboxNote): Promise<void> {
  const now = isoFromMs(ledger.clock.nowMs());
  switch (note.kind) {
    case 'file-system':
      if ((await rowOf(ledger, 'inbox', { source }))?.file_system === note.fileSystem) return;
      return putRow(ledger, 'inbox', { source }, { file_system: note.fileSystem });
    case 'unpacked': {
      const { sha256, bytes } = note.container;
      const about = { source, container_sha256: sha256, container_bytes: bytes };
      // The settings of the source may take other files of a container than before.
      await ledger.db
        .insertInto('contained_file')
        .values(note.files.map((file) => ({ ...about, sha256: file })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    }
    case 'fetched': {
      const fetched = { sha256: note.sha256, fetched_at: now, settled_at: null };
      return putRow(ledger, 'remote_file', { source, ...note.file }, fetched);
    }
    case 'settled':
      await updateRows(ledger, 'remote_file', { source, ...note.file }, { settled_at: now });
      return;
    case 'polled':
      return recordPoll(ledger, source, note);
  }
}

/** The result of polling a remote inbox. */
export type InboxPoll =
  | {
      readonly isAway: false;
      /** The number of files that remain there. */
      readonly waiting: number;
      /** When the oldest of them was written, by the server's clock, ISO; null: there are none. */
      readonly oldestAt: string | null;
    }
  | {
      readonly isAway: true;
      /** Why the place can't be used, as a sentence without its full stop. */
      readonly message: string;
      readonly remedy: string;
    };

export type RemoteInbox = Awaited<ReturnType<typeof remoteInboxes>>[number];

/** Records a poll of a source's remote inbox. An outage starts with the first failed poll, and ends with the next success. */
async function recordPoll(ledger: Ledger, source: string, poll: InboxPoll): Promise<void> {
  await writing(ledger, async (ledger) => {
    const now = isoFromMs(ledger.clock.nowMs());
    const before = await rowOf(ledger, 'remote_inbox', { source });
    const values = poll.isAway
      ? { away_since: before?.away_since ?? now, message: poll.message, remedy: poll.remedy }
      : { away_since: null, message: null, remedy: null, waiting: poll.waiting, oldest_at: poll.oldestAt };
    const polled = { ...values, looked_at: now };
    await putRow(ledger, 'remote_inbox', { source }, { waiting: 0, oldest_at: null, ...polled }, polled);
  });
}

/** Reads the state of all remote inboxes, by source. Times are ISO. */
export async function remoteInboxes(ledger: Ledger) {
  const inboxes = await ledger.db
    .selectFrom('remote_inbox as i')
    .leftJoin('remote_file as f', 'f.source', 'i.source')
    .selectAll('i')
    .select(({ fn }) => fn.max('f.fetched_at').as('fetchedAt'))
    .groupBy('i.source')
    .orderBy('i.source')
    .execute();
  return inboxes.map((inbox) => ({
    source: inbox.source,
    /** The time of the latest poll, even if it failed. */
    lookedAt: inbox.looked_at,
    /** Files that remained there at the latest successful poll, and when the oldest of them was written. */
    waiting: inbox.waiting,
    oldestAt: inbox.oldest_at,
    /** When a file was last fetched; null: never. */
    fetchedAt: inbox.fetchedAt as string | null,
    /** Since when it can't be used, and why; null: it can be used. */
    away:
      inbox.away_since === null
        ? null
        : { since: inbox.away_since, message: inbox.message ?? '', remedy: inbox.remedy ?? '' },
  }));
}

export interface RemoteVersion {
  /** The server and the folder. */
  readonly place: string;
  readonly name: string;
  /** Distinguishes versions of the same name. */
  readonly version: string;
}

/** A fetched version whose original is not archived or deleted yet. */
export type FetchedFile = Awaited<ReturnType<typeof fetchedFiles>>[number];

/**
 * Reads the fetched versions of a place whose originals are not archived or deleted yet, the latest last.
 * `isPublished`: all rows of the file count, so that its original may be archived or deleted.
 */
export async function fetchedFiles(ledger: Ledger, source: string, place: string) {
  const files = await ledger.db
    .selectFrom('remote_file as f')
    .leftJoin('contained_file as c', (join) =>
      join.onRef('c.source', '=', 'f.source').onRef('c.container_sha256', '=', 'f.sha256'),
    )
    .leftJoin('drop_file as d', (join) =>
      join.onRef('d.source', '=', 'f.source').on('d.sha256', '=', sql<string>`coalesce(c.sha256, f.sha256)`),
    )
    // Each file of a container, and each sheet of a workbook, may be a drop. A corrected file is not a drop.
    .select([
      'f.name',
      'f.version',
      sql<number>`sum(case when d.state = 'published'
          or exists (select 1 from returned_file as r where r.sha256 = coalesce(c.sha256, f.sha256))
          then 0 else 1 end)`.as('uncounted'),
    ])
    .where('f.source', '=', source)
    .where('f.place', '=', place)
    .where('f.settled_at', 'is', null)
    .groupBy(['f.name', 'f.version', 'f.fetched_at'])
    .orderBy('f.fetched_at')
    .orderBy('f.version')
    .execute();
  return files.map(({ uncounted, ...file }) => ({ ...file, isPublished: uncounted === 0 }));
}

type ContainedDrop = Awaited<ReturnType<typeof containedDrops>>[number];

/** Reads all containers with their drops, in any state. */
export async function containedDrops(ledger: Ledger) {
  return ledger.db
    .selectFrom('contained_file as c')
    .innerJoin('drop_file as d', (join) =>
      join.onRef('d.source', '=', 'c.source').onRef('d.sha256', '=', 'c.sha256'),
    )
    .select(['c.source', 'c.container_sha256 as container', 'c.sha256'])
    .distinct()
    .execute();
}

/** The SHA-256 of the source's containers with the drop. */
export function containersOf(
  drops: readonly ContainedDrop[],
  { source, sha256 }: Pick<ContainedDrop, 'source' | 'sha256'>,
): readonly string[] {
  return drops.flatMap((drop) => (drop.source === source && drop.sha256 === sha256 ? [drop.container] : []));
}
