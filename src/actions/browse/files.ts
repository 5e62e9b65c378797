import { type FileFacts, fileFacts } from '../../ledger/books/files/file-facts.js';
import {
  type FileList,
  type FileSelection,
  type ListedFile,
  listFiles,
} from '../../ledger/books/files/list-files.js';
import { maskRefusal } from '../../report/words/mask.js';
import type { ActionContext } from '../context.js';

/** Who asks: for a viewer texts that may hold somebody's values are masked. */
interface Masking {
  readonly isMasked: boolean;
}

/** A page of the files that came in and those that were set aside, with what became of their rows. */
export async function browseFiles(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { isMasked, ...selection }: FileSelection & Masking,
): Promise<FileList> {
  const { files, total } = await listFiles(ledger, selection);
  return { files: isMasked ? files.map(maskFile) : files, total };
}

/** One file that came in; null: there is no drop with this number. */
export async function browseFile(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { drop, isMasked }: { readonly drop: number } & Masking,
): Promise<FileFacts | null> {
  const found = await fileFacts(ledger, drop);
  if (found === null) return null;
  // A header that isn't one is somebody's row; what people give as a reason may name somebody.
  return isMasked
    ? {
        ...maskFile(found),
        header: [],
        mapping: {},
        decisions: found.decisions.map((decision) => ({ ...decision, because: null })),
      }
    : found;
}

function maskFile<File extends ListedFile>(file: File): File {
  const { refusal, closure } = file;
  return {
    ...file,
    refusal: refusal === null ? null : maskRefusal(refusal),
    closure: closure?.kind === 'dismissed' ? { ...closure, because: null } : closure,
  };
}
