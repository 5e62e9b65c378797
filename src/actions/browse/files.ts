import { type FileFacts, fileFacts } from '../../ledger/books/files/file-facts.js';
import { type FileList, type FileSelection, listFiles } from '../../ledger/books/files/list-files.js';
import type { ActionContext } from '../context.js';

/** A page of the files that came in and those that were set aside, with what became of their rows. Personal. */
export async function browseFiles(
  { ledger }: Pick<ActionContext, 'ledger'>,
  selection: FileSelection,
): Promise<FileList> {
  return listFiles(ledger, selection);
}

/** One file that came in; null: there is no drop with this number. Personal. */
export async function browseFile(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { drop }: { readonly drop: number },
): Promise<FileFacts | null> {
  return fileFacts(ledger, drop);
}
