import { posix } from 'node:path';
import { RemoteFault } from './remote-place.js';
import { partName, putFault, type ResultPlace, type ResultTarget, type SftpResults } from './result-place.js';
import { faultReason, isMissing, isUnsupported } from './sftp.js';
import { connectSftp } from './sftp-connection.js';

type SftpTarget = Pick<ResultTarget, 'source' | 'place'> & { readonly sftp: SftpResults };

export async function openSftpFolder(
  target: SftpTarget,
  root: string,
  signal: AbortSignal,
): Promise<ResultPlace> {
  const { call, close } = await connectSftp(target, root, signal);
  const at = (name: string) => posix.join(target.sftp.folder, name);
  const faultOf = (error: unknown) =>
    error instanceof RemoteFault ? error : putFault(target, faultReason(error), error);
  const remove = async (path: string) => {
    await call<void>((client, done) => client.unlink(path, done)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  };
  try {
    await call((client, done) => client.stat(target.sftp.folder, done));
  } catch (error) {
    close();
    throw faultOf(error);
  }
  return {
    async put(path, name) {
      const part = at(partName(name));
      try {
        await call<void>((client, done) => client.fastPut(path, part, done));
        // The rename of the protocol refuses to replace a file. Servers without that of OpenSSH lack the file for a moment.
        await call<void>((client, done) => client.ext_openssh_rename(part, at(name), done)).catch(
          async (error) => {
            if (!isUnsupported(error)) throw error;
            await remove(at(name));
            await call<void>((client, done) => client.rename(part, at(name), done));
          },
        );
      } catch (error) {
        throw faultOf(error);
      }
    },
    async remove(name) {
      await remove(at(name)).catch((error) => {
        throw faultOf(error);
      });
    },
    close,
  };
}
