import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { DropIdentity } from '../../domain/drop.js';
import { type Ledger, reading, writing } from '../store/query.js';
import { recordContained } from './contained-files.js';

/** What there is to know about the inbox of a source. */
export type InboxNote =
  /** What file system it is on, while files come in from it. */
  | { readonly kind: 'file-system'; readonly fileSystem: string }
  /** A container was unpacked: these files, by their SHA-256, were in it. */
  | { readonly kind: 'unpacked'; readonly container: DropIdentity; readonly files: readonly string[] }
  /** A version was fetched: it is in the source's folder under its name, whole. */
  | { readonly kind: 'fetched'; readonly file: RemoteVersion; readonly sha256: string }
  /** The original of a version was archived or deleted: if it appears again, it is another file. */
  | { readonly kind: 'settled'; readonly file: RemoteVersion }
  /** A look at the remote place: it can be used, or it is away. */
  | ({ readonly kind: 'looked' } & RemoteLook);

/** Records what was found about a source's inbox, or done in it. */
export async function noteInbox(ledger: Ledger, source: string, note: InboxNote): Promise<void> {
  switch (note.kind) {
    case 'file-system':
      return recordFileSystem(ledger, source, note.fileSystem);
    case 'unpacked':
      return recordContained(ledger, source, note.container, note.files);
    case 'fetched':
      return recordFetched(ledger, source, note);
    case 'settled':
      return recordSettled(ledger, source, note);
    case 'looked':
      return recordLook(ledger, source, note);
  }
}

async function recordFileSystem(ledger: Ledger, source: string, fileSystem: string): Promise<void> {
  const known = await ledger.db
    .selectFrom('inbox')
    .select('file_system as fileSystem')
    .where('source', '=', source)
    .executeTakeFirst();
  if (known?.fileSystem === fileSystem) return;
  await ledger.db
    .insertInto('inbox')
    .values({ source, file_system: fileSystem })
    .onConflict((conflict) => conflict.column('source').doUpdateSet({ file_system: fileSystem }))
    .execute();
}

/** How a look at a remote inbox ended. */
export type RemoteLook =
  | {
      readonly isAway: false;
      /** Files that it left there. */
      readonly waiting: number;
      /** When the oldest of them was written, by the clock of the server, ISO; null: none waits. */
      readonly oldestAt: string | null;
    }
  | {
      readonly isAway: true;
      /** Why the place can't be used, as a sentence without its end. */
      readonly message: string;
      readonly remedy: string;
    };

/** What is known of a source's remote inbox. */
export type RemoteInbox = Awaited<ReturnType<typeof remoteInboxes>>[number];

/** Records a look at a source's remote inbox. An outage lasts from the first look that failed to the next that succeeds. */
async function recordLook(ledger: Ledger, source: string, look: RemoteLook): Promise<void> {
  await writing(ledger, async (ledger) => {
    const now = isoFromMs(ledger.clock.nowMs());
    const before = await ledger.db
      .selectFrom('remote_inbox')
      .select('away_since as awaySince')
      .where('source', '=', source)
      .executeTakeFirst();
    const values = look.isAway
      ? { away_since: before?.awaySince ?? now, message: look.message, remedy: look.remedy }
      : { away_since: null, message: null, remedy: null, waiting: look.waiting, oldest_at: look.oldestAt };
    await ledger.db
      .insertInto('remote_inbox')
      .values({ source, waiting: 0, oldest_at: null, ...values, looked_at: now })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ ...values, looked_at: now }))
      .execute();
  });
}

/** Reads what is known of all remote inboxes, by source. Times are ISO. */
export async function remoteInboxes(ledger: Ledger) {
  return reading(ledger, async (ledger) => {
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
      /** Of the latest look, which may have failed. */
      lookedAt: inbox.looked_at,
      /** Files that the latest look that succeeded left there, and when the oldest of them was written. */
      waiting: inbox.waiting,
      oldestAt: inbox.oldest_at,
      /** When a file was last fetched; null: none ever was. */
      fetchedAt: inbox.fetchedAt as string | null,
      /** Since when it can't be used, and why; null: it can. */
      away:
        inbox.away_since === null
          ? null
          : { since: inbox.away_since, message: inbox.message ?? '', remedy: inbox.remedy ?? '' },
    }));
  });
}

/** One version of a file in a remote inbox. */
export interface RemoteVersion {
  /** The server and the folder. */
  readonly place: string;
  readonly name: string;
  /** What tells this version from others of the name. */
  readonly version: string;
}

/** A version that was fetched and whose original was not settled. */
export type FetchedFile = Awaited<ReturnType<typeof fetchedFiles>>[number];

/**
 * Reads the versions of a place that were fetched and whose originals were not settled, the latest last. `isPublished`: all rows of the file count, so
 * its original may be archived or deleted.
 */
export async function fetchedFiles(ledger: Ledger, source: string, place: string) {
  return reading(ledger, async (ledger) => {
    const files = await ledger.db
      .selectFrom('remote_file as f')
      .leftJoin('contained_file as c', (join) =>
        join.onRef('c.source', '=', 'f.source').onRef('c.container_sha256', '=', 'f.sha256'),
      )
      .leftJoin('drop_file as d', (join) =>
        join
          .onRef('d.source', '=', 'f.source')
          .on('d.sha256', '=', sql<string>`coalesce(c.sha256, f.sha256)`),
      )
      // Each file of a container, and each sheet of a workbook, may be a drop. A file of corrections is none.
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
    return files.map(({ name, version, uncounted }) => ({
      name,
      version,
      isPublished: Number(uncounted) === 0,
    }));
  });
}

type Note<Kind extends InboxNote['kind']> = Extract<InboxNote, { readonly kind: Kind }>;

async function recordFetched(
  ledger: Ledger,
  source: string,
  { file, sha256 }: Note<'fetched'>,
): Promise<void> {
  const fetched = { sha256, fetched_at: isoFromMs(ledger.clock.nowMs()), settled_at: null };
  await ledger.db
    .insertInto('remote_file')
    .values({ source, ...file, ...fetched })
    .onConflict((conflict) => conflict.columns(['source', 'place', 'name', 'version']).doUpdateSet(fetched))
    .execute();
}

async function recordSettled(ledger: Ledger, source: string, { file }: Note<'settled'>): Promise<void> {
  const { place, name, version } = file;
  await ledger.db
    .updateTable('remote_file')
    .set({ settled_at: isoFromMs(ledger.clock.nowMs()) })
    .where('source', '=', source)
    .where('place', '=', place)
    .where('name', '=', name)
    .where('version', '=', version)
    .execute();
}
