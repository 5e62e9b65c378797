import type { SourceConfig } from '../config/schema.js';
import { s3Place, sftpPlace } from './remote-inbox.js';
import { awayHint, type RemoteFault, sourceFault } from './remote-place.js';

type Results = NonNullable<SourceConfig['results']>;

export type SftpResults = NonNullable<Results['sftp']>;

export type S3Results = NonNullable<Results['s3']>;

export interface ResultTarget {
  readonly source: SourceConfig;
  /** For people: a folder, or a server and its folder, without the account; of mail the channel. */
  readonly place: string;
  readonly results: Results;
}

/** The target for results of a source; null: it has none. */
export function resultTargetOf(source: SourceConfig): ResultTarget | null {
  const { results } = source;
  return results === undefined ? null : { source, place: placeOf(results), results };
}

function placeOf({ folder, sftp, s3, mail }: Results): string {
  if (sftp !== undefined) return sftpPlace(sftp);
  if (s3 !== undefined) return s3Place(s3);
  return mail === undefined
    ? (folder ?? '')
    : `mail through ${mail.channel ?? 'the first channel with email'}`;
}

/** All of it throws an OperatorError that names no file. */
export interface ResultPlace {
  /** Under a hidden name first, so that the name appears with all bytes. Replaces an older file. */
  put(path: string, name: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** A try after a crash writes the same name again, so that none is left. */
export function partName(name: string): string {
  return `.${name}.part`;
}

/** Names the place: the name of the file may be personal. */
export function putFault(
  { source, place }: Pick<ResultTarget, 'source' | 'place'>,
  reason: string,
  cause: unknown,
): RemoteFault {
  const message = `could not write a result of source ${source.name} to ${place}: ${reason}`;
  return sourceFault(source, 'write a result', message, awayHint(source), 'io', cause);
}
