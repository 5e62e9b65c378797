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
  if (sftp !== undefined) {
    const { openSftp } = await import('./sftp.js');
    return openSftp({ ...remote, sftp }, root, signal);
  }
  if (s3 !== undefined) {
    const { openS3 } = await import('./s3.js');
    return openS3({ ...remote, s3 }, signal);
  }
  if (https === undefined) throw new Error(`source ${remote.source.name} names no server`);
  const { openHttps } = await import('./https.js');
  return openHttps({ ...remote, https }, root, signal);
}
