import type { SourceConfig } from '../config/schema.js';

/** The settings of an SFTP server that a source's files are fetched from. */
export type SftpInbox = NonNullable<Exclude<SourceConfig['inbox'], string | undefined>['sftp']>;

/** A source whose files are fetched. */
export interface RemoteSource {
  readonly source: SourceConfig;
  readonly sftp: SftpInbox;
  /** The server and the folder, as people and the ledger name it: sftp://files.example.com:22/out. Without the account. */
  readonly place: string;
}

/** The remote inbox of a source; null: its files come into its folder by themselves. */
export function remoteInboxOf(source: SourceConfig): RemoteSource | null {
  const sftp = typeof source.inbox === 'object' ? source.inbox.sftp : undefined;
  if (sftp === undefined) return null;
  // A relative folder starts at the home of the account.
  const path = sftp.folder.startsWith('/') ? sftp.folder : `/~/${sftp.folder}`;
  const host = sftp.host.includes(':') ? `[${sftp.host}]` : sftp.host;
  return { source, sftp, place: `sftp://${host}:${sftp.port}${path}` };
}
