import { basename } from 'node:path';
import { dataFile } from '../config/values/data-file.js';
import { errorsOf, OperatorError } from '../domain/operator-error.js';
import { deniedText } from '../domain/process/who-may.js';
import { filledText } from '../domain/text/filled-text.js';

/** What may be wrong with a file, as data/texts/unreadable.yaml words it. */
type FileFault =
  | ('pgp-without-key' | 'pgp-signature' | 'pgp-other-key' | 'pgp-damaged' | 'pgp-unsigned' | 'gzip-damaged')
  | ('archive-within' | 'archive-entry' | 'archive-unmatched' | 'archive-damaged' | 'archive-encrypted')
  | ('unpacked-too-large' | 'file-too-large' | 'part-too-large' | 'kind-not-read' | 'file-changed')
  | ('utf-32' | 'other-mark' | 'zero-byte' | 'encoding-unknown' | 'utf-8-damaged' | 'undecodable')
  | ('rows-swallowed' | 'quote-open' | 'field-too-long' | 'row-ends-differ' | 'sheet-rows-swallowed')
  | ('no-sheet' | 'no-visible-sheet' | 'no-such-sheet' | 'array-unsaved' | 'workbook-damaged' | 'no-workbook')
  | ('too-much-text' | 'too-many-merges' | 'too-many-cells' | 'too-many-sheets' | 'too-many-entries')
  | ('other-document' | 'xml-unsound');

const texts =
  dataFile<Readonly<Record<FileFault, { readonly message: string; readonly hint: string }>>>(
    'texts/unreadable',
  );

/**
 * The error for a file that can't be imported, with the place of its fault and the remedy. The file's name is the subject and not
 * repeated in the message, which is shown beside it.
 * @param parts what the sentences name.
 */
export function unreadable(
  path: string,
  fault: FileFault,
  parts: Readonly<Record<string, string | number>> = {},
  cause?: unknown,
): OperatorError {
  const { message, hint } = texts()[fault];
  const more = { exit: 'attention', reason: 'invalid', cause } as const;
  return notRead(basename(path), `${filledText(message, parts)}.`, filledText(hint, parts), more);
}

/**
 * The error to throw for one caught while reading a file: a failure of the file system becomes a sentence for the operator, and
 * any other error is returned as is.
 */
export function explainFailure(path: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error) || !('syscall' in error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const [message, hint] = MISTAKES[code] ?? [];
  const text = `${message?.(path) ?? `the file can't be read from disk (${error.message})`}.`;
  const exit = hint === undefined ? 'io' : 'usage';
  return notRead(basename(path), text, hint ?? 'Check the disk, then run again.', { exit, cause: error });
}

const notRead = errorsOf('read the drop');

const noFile = (path: string) => `there is no file ${path}`;
const mayNotBeRead = (path: string) => `${path} can't be read: ${deniedText(path)}`;

/** Mistakes that people make about a path, as opposed to a failing disk. */
const MISTAKES: Readonly<Record<string, readonly [message: (path: string) => string, hint: string]>> = {
  ENOENT: [noFile, 'Check the path.'],
  ENOTDIR: [noFile, 'Check the path: a part of it is a file, not a folder.'],
  EISDIR: [(path) => `${path} is a folder`, 'Name a file in it.'],
  EACCES: [mayNotBeRead, 'Give this user the right to read it.'],
  EPERM: [mayNotBeRead, 'Give this user the right to read it.'],
};
