import type { RemoteSource } from './remote-inbox.js';
import type { RemotePlace } from './remote-place.js';

/** Connects to the remote inbox of a source; throws RemoteFault. Close it. @param root the workspace. */
export async function openPlace(
  remote: RemoteSource,
  root: string,
  signal: AbortSignal,
): Promise<RemotePlace> {
  // Other sources don't load what speaks to servers.
  const { openSftp } = await import('./sftp.js');
  return openSftp(remote, root, signal);
}
