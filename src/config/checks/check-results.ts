import { posix, resolve, sep } from 'node:path';
import { inboxFolder, realFolder } from '../values/inbox-folder.js';
import type { ConfigDraft, SourceDraft } from './draft.js';
import { formatPath, type Mistake, type Path } from './mistake.js';

/** Registrar alone writes there. */
const OWN_FOLDERS = ['processing', 'archive', 'rejected'];

/** A target that no source reads, and a mail server where the target is mail. */
export function checkResults(
  draft: ConfigDraft,
  mailChannels: readonly unknown[],
  workspace: string,
): Mistake[] {
  return draft.sources.flatMap(({ results }, index) => {
    if (results === undefined) return [];
    const path = ['sources', index, 'results'];
    return [
      ...checkMail(results, mailChannels, [...path, 'mail']),
      ...checkFolder(results, draft, workspace, [...path, 'folder']),
      ...checkPlace(results, draft, path),
    ];
  });
}

type ResultsDraft = NonNullable<SourceDraft['results']>;

function checkMail({ mail }: ResultsDraft, mailChannels: readonly unknown[], path: Path): Mistake[] {
  if (mail === undefined) return [];
  const { channel } = mail;
  if (channel !== undefined && !mailChannels.includes(channel))
    return [{ path: [...path, 'channel'], text: 'is not a channel of alerts with email', showValue: true }];
  return mailChannels.length > 0
    ? []
    : [{ path, text: 'needs a mail server: add a channel with email to alerts.channels' }];
}

function checkFolder(
  { folder }: ResultsDraft,
  { sources }: ConfigDraft,
  workspace: string,
  path: Path,
): Mistake[] {
  if (folder === undefined) return [];
  const real = realFolder(resolve(workspace, folder));
  if (OWN_FOLDERS.some((own) => `${real}${sep}`.startsWith(`${realFolder(resolve(workspace, own))}${sep}`)))
    return [{ path, text: 'is a folder that Registrar keeps for itself; choose another', showValue: true }];
  const readers = sources.flatMap(({ name, inbox }, index) =>
    name !== undefined && realFolder(inboxFolder(workspace, { name, inbox })) === real ? [index] : [],
  );
  return readers.slice(0, 1).map((index) => isRead(index, path));
}

function checkPlace(results: ResultsDraft, { sources }: ConfigDraft, path: Path): Mistake[] {
  const place = placeKey(results);
  const reader = sources.findIndex(
    ({ inbox }) => typeof inbox === 'object' && place !== null && placeKey(inbox) === place,
  );
  return reader < 0 ? [] : [isRead(reader, path)];
}

function isRead(index: number, path: Path): Mistake {
  return {
    path,
    text: `is the inbox of ${formatPath(['sources', index])}, which would import the results; choose another folder`,
  };
}

/** Equal for the same folder of a server; null: it is on none. */
function placeKey({ sftp, s3 }: Pick<ResultsDraft, 'sftp' | 's3'>): string | null {
  if (sftp !== undefined) return `${sftp.host.toLowerCase()}:${sftp.port}${posix.resolve('/~', sftp.folder)}`;
  if (s3 === undefined) return null;
  return `${s3.endpoint ?? ''} ${s3.bucket} ${s3.prefix.replace(/(?<!\/)\/+$/, '')}`;
}
