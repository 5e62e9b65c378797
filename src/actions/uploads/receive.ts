import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { fileNameMistake } from '../../workspace/inbox/file-name-mistake.js';
import { placeInInbox } from '../../workspace/uploads/place-in-inbox.js';
import {
  findUpload,
  removeOldUploads,
  removeUpload,
  storeUpload,
  type Upload,
} from '../../workspace/uploads/upload-store.js';
import { type ActionContext, sourceNamed } from '../context.js';

/** A file that somebody sends, as a stream. */
export interface Sent {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The name of the source whose inbox it is for. */
  readonly source: string;
  /** As the sender calls it: any text. */
  readonly name: string;
  readonly who: string;
  /** Ends it: then nothing is left, and the signal's reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Keeps a file that somebody sends beside the inboxes, so that it can be looked at before it is taken. Throws OperatorError for a source
 * that registrar.yaml doesn't have and for a disk that fails, and whatever the stream throws; then nothing of it is left.
 */
export async function receiveUpload(
  context: UploadContext,
  { chunks, signal, ...sent }: Sent,
): Promise<Upload> {
  const { config, paths, clock } = context;
  sourceNamed(config, sent.source);
  await tidyUploads(context);
  return storeUpload(paths, chunks, { ...sent, receivedAt: isoFromMs(clock.nowMs()) }, signal);
}

/** A file that lies in an inbox now. */
export interface DroppedFile {
  /** The name that it has there. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Puts a file that a program sends straight into the inbox of a source, whole and at once. Throws OperatorError where the inbox wouldn't
 * take the name, before a byte is read, and what `receiveUpload` throws.
 */
export async function receiveDrop(context: UploadContext, sent: Sent): Promise<DroppedFile> {
  requireName(context, sent.source, sent.name);
  const { id, name, source, bytes, sha256 } = await receiveUpload(context, sent);
  try {
    return { name: await place(context, { id, source }, name), bytes, sha256 };
  } catch (error) {
    await removeUpload(context.paths, id);
    throw error;
  }
}

/** Removes what nobody has decided about for a day. */
export async function tidyUploads({ paths, clock }: Pick<ActionContext, 'paths' | 'clock'>): Promise<void> {
  await removeOldUploads(paths, clock.nowMs());
}

/** What uploads need of a workspace. */
export type UploadContext = Pick<ActionContext, 'config' | 'paths' | 'clock'>;

/** Throws OperatorError where the inbox of the source wouldn't take a file of this name. */
export function requireName({ config }: UploadContext, source: string, name: string): void {
  const mistake = fileNameMistake(name, sourceNamed(config, source));
  if (mistake === null) return;
  throw new OperatorError({
    operation: 'put a file into the inbox',
    subject: source,
    message: mistake,
    hint: 'Give the file another name.',
  });
}

/** Moves an upload into the inbox of its source; returns the name that it has there. */
export async function place(
  { config, paths }: UploadContext,
  { id, source }: Pick<Upload, 'id' | 'source'>,
  name: string,
): Promise<string> {
  const upload = await findUpload(paths, id);
  const placed =
    upload === null ? null : await placeInInbox(upload.path, paths.inbox(sourceNamed(config, source)), name);
  if (placed === null) throw uploadGone();
  await removeUpload(paths, id);
  return placed;
}

/** An upload that was taken in or thrown away meanwhile. */
export function uploadGone(): OperatorError {
  return new OperatorError({
    operation: 'take an upload in',
    subject: 'the upload',
    message: 'the upload is gone: somebody has taken it in or thrown it away, or it was older than a day',
    hint: 'Look at the list of files; if it isn’t there, drop it again.',
  });
}
