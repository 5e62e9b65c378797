import type { SourceConfig } from '../config/schema.js';
import { s3Place, sftpPlace } from './remote-inbox.js';
import type { RemoteFolder } from './remote-place.js';

type Results = NonNullable<SourceConfig['results']>;

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

/** All of it throws OperatorError. */
export type ResultPlace = Pick<RemoteFolder, 'put' | 'remove'> & { close(): void };

/** A try after a crash writes the same name again, so that none is left. */
export function partName(name: string): string {
  return `.${name}.part`;
}
