import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { errorsOf, OperatorError, withHint } from '../domain/operator-error.js';
import { mapSeries } from '../domain/process/series.js';
import {
  findPart,
  placePart,
  removeOldParts,
  removePart,
  type UploadPart,
  waitingParts,
  writePart,
} from '../inbox/upload-part.js';
import { recordEvent } from '../ledger/access/audit-log.js';
import { sha256Of } from '../workspace/files/copy-verified.js';
import { makeFolder } from '../workspace/files/entries.js';
import { fileNameMistake, suggestedName } from '../workspace/inbox/file-name-mistake.js';
import { check, checkedContent } from './check.js';
import { type ActionContext, sourceNamed } from './context.js';
import { refuseName } from './setup/source.js';

export type UploadContext = Pick<ActionContext, 'config' | 'paths' | 'clock'>;

export interface Sent {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly source: string;
  /** As the sender calls it: any text. */
  readonly name: string;
  /** Ends it: then nothing is left, and the signal's reason is thrown. */
  readonly signal: AbortSignal;
}

/** An upload that waits in its source's inbox, under a name that no run takes. */
export interface UploadId {
  readonly source: string;
  readonly id: string;
}

/**
 * Writes an uploaded file into the inbox of its source as a part, so that it can be previewed before a run imports it. Throws
 * OperatorError for an unknown source and for a disk that fails, and whatever the stream throws; then nothing of it is left.
 */
export async function receiveUpload(
  { config, paths, clock }: UploadContext,
  { chunks, source, name, signal }: Sent,
): Promise<UploadPart & { readonly sha256: string }> {
  const inbox = paths.inbox(sourceNamed(config, source));
  await removeOldParts(inbox, clock.nowMs());
  return writePart(inbox, suggestedName(name), chunks, signal);
}

/** Writes a sample for a source that is to be added into its future inbox. Throws also for a name that no new source can have. */
export async function receiveSample(
  { config, paths, clock }: UploadContext,
  { chunks, source, name, signal }: Sent,
): Promise<UploadPart> {
  refuseName(source, { config });
  await tidyUploads({ config, paths, clock });
  const inbox = paths.inbox({ name: source });
  await makeFolder(inbox);
  return writePart(inbox, suggestedName(name), chunks, signal);
}

/**
 * Puts a file that a program sends into the inbox of a source, whole and at once. Throws OperatorError where the inbox wouldn't
 * take the name, before a byte is read, and what `receiveUpload` throws.
 */
export async function receiveDrop(
  context: UploadContext & Pick<ActionContext, 'ledger'>,
  sent: Sent,
  who: Decider,
): Promise<{ readonly name: string; readonly bytes: number; readonly sha256: string }> {
  requireName(context, sent.source, sent.name);
  const part = await receiveUpload(context, sent);
  try {
    const { bytes, sha256 } = part;
    await recordEvent(context.ledger, 'upload', who, { source: sent.source, file_name: sent.name, sha256 });
    return { name: await place(context, sent.source, part, sent.name), bytes, sha256 };
  } finally {
    await discardUpload(context, { source: sent.source, id: part.id });
  }
}

/** Removes uploads without a decision for a day, samples of sources that were not added, and what dead processes have left. */
export async function tidyUploads({ config, paths, clock }: UploadContext): Promise<void> {
  const folder = dirname(paths.inbox({ name: 'any' }));
  const names = await readdir(folder).catch(() => []);
  const inboxes = [...config.sources, ...names.map((name) => ({ name }))].map(paths.inbox);
  for (const inbox of new Set(inboxes)) {
    await removeOldParts(inbox, clock.nowMs()).catch((error) => {
      if (!(error instanceof OperatorError)) throw error;
    });
  }
}

/** The uploads of all sources that wait for a decision; an inbox that can't be read has none. Personal: names of files. */
export async function waitingUploads({ config, paths }: UploadContext) {
  const uploads = await mapSeries(config.sources, async (source) => {
    const parts = await waitingParts(paths.inbox(source)).catch((error) => {
      if (!(error instanceof OperatorError)) throw error;
      return [];
    });
    return parts.map(({ id, name: file, bytes, mtimeMs }) => ({
      ...{ source: source.name, id, file, bytes },
      at: isoFromMs(mtimeMs),
    }));
  });
  return uploads.flat();
}

const SHOWN = 20;

/**
 * Checks an upload as `registrar check` checks a file; writes nothing. Null: there is no such upload. Personal.
 * @returns `name`: the one that it would get in the inbox; `nameMistake`: why the inbox wouldn't take that, null where it would;
 *   `content`: what `check` says, or why no row of the file can be read.
 */
export async function checkUpload(context: UploadContext, { source, id }: UploadId) {
  const { config, paths } = context;
  const configured = config.sources.find((candidate) => candidate.name === source);
  const part = configured === undefined ? null : await findPart(paths.inbox(configured), id);
  if (configured === undefined || part === null) return null;
  const { path, name, bytes } = part;
  const content = await check(context, { file: path, source, limit: SHOWN }).then(checkedContent, (error) => {
    if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
    // It names the file by its part, which means nothing to the person who sent it.
    return { unreadable: withHint(error.message, error.hint).replaceAll(path, 'the file') };
  });
  return { source, id, name, bytes, nameMistake: fileNameMistake(name, configured), content };
}

/**
 * Gives an upload the name under which the next run takes it. Throws OperatorError where the inbox wouldn't take it, or the
 * upload is gone. @returns the name that it has.
 */
export async function takeUpload(
  context: UploadContext & Pick<ActionContext, 'ledger'>,
  { source, id }: UploadId,
  name: string,
  who: Decider,
): Promise<string> {
  requireName(context, source, name);
  const part = await findPart(context.paths.inbox(sourceNamed(context.config, source)), id);
  const sha256 = part && (await sha256Of(part.path));
  if (sha256 !== null) await recordEvent(context.ledger, 'upload', who, { source, file_name: name, sha256 });
  return place(context, source, part, name);
}

/** Removes an upload. @returns false where it was gone already. */
export function discardUpload({ config, paths }: UploadContext, { source, id }: UploadId): Promise<boolean> {
  return removePart(paths.inbox(sourceNamed(config, source)), id);
}

function requireName({ config }: UploadContext, source: string, name: string): void {
  const mistake = fileNameMistake(name, sourceNamed(config, source));
  if (mistake === null) return;
  const hint = 'Give the file another name.';
  throw errorsOf('put a file into the inbox')(source, mistake, hint, { reason: 'invalid' });
}

async function place(
  { config, paths }: UploadContext,
  source: string,
  part: UploadPart | null,
  name: string,
): Promise<string> {
  const inbox = paths.inbox(sourceNamed(config, source));
  const placed = part === null ? null : await placePart(part, inbox, name);
  if (placed !== null) return placed;
  throw errorsOf('import an upload')(
    'the upload',
    'the upload is gone: it was imported or discarded, or it was older than a day',
    'Look at the list of files; if it isn’t there, drop it again.',
    { reason: 'not-found' },
  );
}
