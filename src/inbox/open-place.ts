import type { RemoteAddress } from './remote-inbox.js';
import type { RemotePlace } from './remote-place.js';

/** Throws RemoteFault. Close it. @param root the workspace. */
export async function openPlace(
  remote: RemoteAddress,
  root: string,
  signal: AbortSignal,
): Promise<RemotePlace> {
  const { sftp, https, s3 } = remote;
  // Other sources don't load what speaks to servers.
  if (sftp !== undefined) return (await import('./sftp.js')).openSftp({ ...remote, sftp }, root, signal);
  if (s3 !== undefined) return (await import('./s3.js')).openS3({ ...remote, s3 }, signal);
  if (https === undefined) throw new Error(`source ${remote.source.name} names no server`);
  return (await import('./https.js')).openHttps({ ...remote, https }, root, signal);
}
