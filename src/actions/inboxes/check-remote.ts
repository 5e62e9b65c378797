import { globMatcher } from '../../config/values/glob.js';
import { OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import type { RemoteSource } from '../../inbox/remote-inbox.js';
import type { SftpUser } from '../../inbox/sftp-connection.js';
import { type Finding, findings } from '../doctor/finding.js';

const remote = findings('remote', 'io');

/**
 * Whether a fetch from a remote inbox would work: the host key, the account, the right to list, to read and, where `isMoving`,
 * to settle originals, by a hidden file that is made and removed. Ends with the first thing that doesn't work.
 * @param root the workspace.
 */
export async function* checkRemote(
  inbox: RemoteSource,
  root: string,
  { isMoving }: { readonly isMoving: boolean },
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { source, sftp, originals, place: address } = inbox;
  const { openPlace } = await import('../../inbox/open-place.js');
  try {
    const unknownKey = sftp === undefined ? null : await hostKeyFinding({ source, sftp }, address, remote);
    if (unknownKey !== null) {
      yield unknownKey;
      return;
    }
    const place = await openPlace(inbox, root, signal);
    try {
      if (sftp !== undefined)
        yield remote.ok(address, `shows the host key of the source, and accepts the account ${sftp.user}`);
      const files = await place.list([]);
      const matches = globMatcher(source.match);
      const matching = files.filter(({ name }) => matches(name));
      yield remote.ok(
        address,
        `holds ${countOf(files.length, 'file')}, of which ${matching.length} match ${source.match}`,
      );
      const [first] = matching;
      if (first !== undefined) {
        // The first bytes show the right to read.
        for await (const _ of place.read(first)) break;
        yield remote.ok(address, 'lets files be read');
      }
      if (isMoving && originals !== 'leave') {
        await place.settling?.try(originals);
        yield remote.ok(
          address,
          originals === 'archive' ? 'lets files be archived' : 'lets files be deleted',
        );
      }
    } finally {
      place.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield remote.broken(address, error.message, error.hint, error.exit === 'attention' ? 'io' : error.exit);
  }
}

/** Names the key of a server for which the source names none; null: it names one. Throws RemoteFault where the server is away. */
export async function hostKeyFinding(
  user: SftpUser,
  address: string,
  { broken }: Pick<typeof remote, 'broken'>,
): Promise<Finding | null> {
  const { hostKeyOf } = await import('../../inbox/sftp-connection.js');
  const shown = await hostKeyOf(user);
  return user.sftp.hostKey !== undefined
    ? null
    : broken(
        address,
        `the server shows the host key ${shown}, and the source names none`,
        `Compare it with the one that the server's administrator names, and write hostKey: ${shown}`,
        'usage',
      );
}
