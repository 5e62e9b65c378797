import type { Ledger } from '../store/query.js';
import { type RemoteVersion, recordFetched, recordSettled } from './remote/remote-files.js';
import { type RemoteLook, recordLook } from './remote/remote-looks.js';

/** What there is to know about the inbox of a source. */
export type InboxNote =
  /** What file system it is on, while files come in from it. */
  | { readonly kind: 'file-system'; readonly fileSystem: string }
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
    case 'fetched':
      return recordFetched(ledger, source, note.file, note.sha256);
    case 'settled':
      return recordSettled(ledger, source, note.file);
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
