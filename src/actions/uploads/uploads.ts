import { OperatorError, withHint } from '../../domain/operator-error.js';
import { fileNameMistake, suggestedName } from '../../workspace/inbox/file-name-mistake.js';
import { findUpload, removeUpload, type UploadFacts } from '../../workspace/uploads/upload-store.js';
import { type CheckedFile, check } from '../check.js';
import type { ActionContext } from '../context.js';
import { place, requireName, type UploadContext, uploadGone } from './receive.js';

/** How many issues and requests are shown. */
const SHOWN = 20;

/** What would become of an upload, in plain values. Personal. */
export interface CheckedUpload {
  readonly upload: UploadFacts & { readonly id: string };
  /** The name that it would get in the inbox. */
  readonly name: string;
  /** Why the inbox wouldn't take the name; null where it would. */
  readonly nameMistake: string | null;
  /** What `check` says; or why no row of the file can be read. */
  readonly found: CheckedContent | { readonly unreadable: string };
}

/** What staging would make of the file. */
export interface CheckedContent
  extends Pick<
    CheckedFile,
    | 'dispositions'
    | 'hiddenRows'
    | 'issues'
    | 'leftOut'
    | 'records'
    | 'redrops'
    | 'refused'
    | 'sheetsLeft'
    | 'isClean'
  > {
  /** The header's line, and the column of each field; null where none was found. */
  readonly header: {
    readonly line: number;
    readonly mapped: readonly { readonly field: string; readonly column: string }[];
    readonly deciding: readonly string[];
    readonly unmapped: readonly string[];
  } | null;
}

/** Checks an upload as `registrar check` checks a file; writes nothing. Null: there is no such upload. */
export async function checkUpload(
  context: Pick<ActionContext, 'config' | 'paths' | 'clock'>,
  { id }: { readonly id: string },
): Promise<CheckedUpload | null> {
  const { config, paths } = context;
  const found = await findUpload(paths, id);
  if (found === null) return null;
  const { path, ...upload } = found;
  const source = config.sources.find((one) => one.name === upload.source);
  if (source === undefined) return null;
  const name = suggestedName(upload.name);
  return {
    upload,
    name,
    nameMistake: fileNameMistake(name, source),
    found: await checked(context, path, upload.source),
  };
}

async function checked(
  context: Pick<ActionContext, 'config' | 'paths' | 'clock'>,
  file: string,
  source: string,
): Promise<CheckedUpload['found']> {
  try {
    const { seen, ...all } = await check(context, { file, source, limit: SHOWN });
    const { header } = seen;
    return {
      ...all,
      header: header && {
        line: header.line,
        mapped: Object.entries(header.match.mapped).map(([field, { header: column }]) => ({ field, column })),
        deciding: seen.deciding,
        unmapped: header.match.unmapped.filter((name) => !seen.deciding.includes(name)),
      },
    };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
    // It names the file by its place beside the inboxes, which means nothing to the person who sent it.
    return { unreadable: withHint(error.message, error.hint).replaceAll(file, 'the file') };
  }
}

/**
 * Moves an upload into its source's inbox, whole and at once. Throws OperatorError where the inbox wouldn't take the name, or the upload is
 * gone.
 * @returns the name that it has there.
 */
export async function takeUpload(
  context: UploadContext,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<{ readonly name: string; readonly source: string }> {
  const upload = await findUpload(context.paths, id);
  if (upload === null) throw uploadGone();
  requireName(context, upload.source, name);
  return { name: await place(context, upload, name), source: upload.source };
}

/** Throws an upload away. @returns false where it was gone already. */
export function discardUpload({ paths }: UploadContext, { id }: { readonly id: string }): Promise<boolean> {
  return removeUpload(paths, id);
}
