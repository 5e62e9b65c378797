import { change, first, type Ledger, query } from '../store/query.js';

/** Records the file system that a source's inbox is on while files come in from it. */
export async function noteInbox(ledger: Ledger, source: string, fileSystem: string): Promise<void> {
  const known = await first(
    ledger,
    query.selectFrom('inbox').select('file_system as fileSystem').where('source', '=', source),
  );
  if (known?.fileSystem === fileSystem) return;
  await change(
    ledger,
    query
      .insertInto('inbox')
      .values({ source, file_system: fileSystem })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ file_system: fileSystem })),
  );
}
