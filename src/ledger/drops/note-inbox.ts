import type { Ledger } from '../store/query.js';

/** Records the file system that a source's inbox is on while files come in from it. */
export async function noteInbox(ledger: Ledger, source: string, fileSystem: string): Promise<void> {
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
