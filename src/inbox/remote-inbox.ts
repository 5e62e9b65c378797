import type { SourceConfig } from '../config/schema.js';

type Inbox = Exclude<SourceConfig['inbox'], string | undefined>;

type SftpInbox = NonNullable<Inbox['sftp']>;

export type HttpsInbox = NonNullable<Inbox['https']>;

type S3Inbox = NonNullable<Inbox['s3']>;

type Results = NonNullable<SourceConfig['results']>;

/** A folder on a server: of files to fetch, with an archive folder, or of results, without one. */
export type SftpServer = NonNullable<Results['sftp']> & Partial<Pick<SftpInbox, 'archiveFolder'>>;

export type S3Bucket = NonNullable<Results['s3']> & Partial<Pick<S3Inbox, 'archivePrefix'>>;

/** A place on a server, with the settings of its kind. */
export interface RemoteAddress {
  readonly source: SourceConfig;
  /** As people and the ledger name it, without the account: sftp://files.example.com:22/out */
  readonly place: string;
  readonly sftp?: SftpServer | undefined;
  readonly https?: HttpsInbox | undefined;
  readonly s3?: S3Bucket | undefined;
}

/** A source whose files are fetched. */
export interface RemoteSource extends RemoteAddress {
  readonly pollMs: number;
  readonly originals: SftpInbox['originals'];
  readonly doneMarker: string | undefined;
}

/** null: files come into its folder by themselves. */
export function remoteInboxOf(source: SourceConfig): RemoteSource | null {
  const { sftp, https, s3 } = typeof source.inbox === 'object' ? source.inbox : {};
  if (sftp !== undefined)
    return { source, place: sftpPlace(sftp), ...sftp, doneMarker: sftp.doneMarker, sftp };
  if (s3 !== undefined) return { source, place: s3Place(s3), ...s3, doneMarker: s3.doneMarker, s3 };
  if (https === undefined) return null;
  const place = httpsPlace(https);
  return { source, place, pollMs: https.pollMs, originals: 'leave', doneMarker: undefined, https };
}

/** Equal for the same folder. */
export function sftpPlace({ host, port, folder }: Pick<SftpInbox, 'host' | 'port' | 'folder'>): string {
  // A relative folder starts at the home of the account.
  const path = folder.startsWith('/') ? folder : `/~/${folder}`;
  return `sftp://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
}

export function s3Place({
  bucket,
  prefix,
  endpoint,
}: Pick<S3Inbox, 'bucket' | 'prefix' | 'endpoint'>): string {
  const folder = prefix.replace(/(?<!\/)\/+$/, '');
  const start = endpoint === undefined ? 's3:/' : endpoint.replace(/(?<!\/)\/+$/, '');
  return [start, bucket, ...(folder === '' ? [] : [folder])].join('/');
}

/** Without the file, and without the query, which may be a secret. */
function httpsPlace({ url, file }: HttpsInbox): string {
  const { origin, pathname } = new URL(url);
  return origin + (file === undefined ? pathname.slice(0, pathname.lastIndexOf('/')) : pathname);
}
