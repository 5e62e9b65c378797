import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../../domain/operator-error.js';
import { openResultPlace } from '../../inbox/open-result-place.js';
import type { ResultTarget } from '../../inbox/result-place.js';
import type { Workspace } from '../context.js';
import { type Finding, findings } from '../doctor/finding.js';
import { hostKeyFinding } from './check-remote.js';

const results = findings('results', 'io');

/**
 * Whether results reach their target: the host key, the account, the folder and, where `isWriting`, the right to write there, by a
 * small file that is put and removed as results are. Of mail, the server and the account; none is sent.
 */
export async function* checkTarget(
  target: ResultTarget,
  { config, paths, clock }: Pick<Workspace, 'config' | 'paths' | 'clock'>,
  { isWriting }: { readonly isWriting: boolean },
  stop: AbortSignal,
): AsyncGenerator<Finding> {
  const { source, place: address, results: settings } = target;
  try {
    if (settings.mail !== undefined) {
      const { tryMail } = await import('../results/mail-result.js');
      await tryMail({ target, config, clock, stop });
      yield results.ok(address, 'takes results: the mail server accepts the account; no mail was sent');
      return;
    }
    const { sftp } = settings;
    const unknownKey = sftp === undefined ? null : await hostKeyFinding({ source, sftp }, address, results);
    if (unknownKey !== null) {
      yield unknownKey;
      return;
    }
    const place = await openResultPlace(target, paths.root, stop);
    try {
      if (isWriting) {
        const name = `.registrar-test-${randomBytes(6).toString('hex')}`;
        const probe = join(tmpdir(), name);
        await writeFile(probe, 'A test of Registrar, which removes this file.\n', { mode: 0o600 });
        try {
          await place.put(probe, name);
          await place.remove(name);
        } finally {
          await rm(probe, { force: true });
        }
      }
      yield results.ok(
        address,
        isWriting ? 'takes results: a test file was written and removed' : 'can be used for results',
      );
    } finally {
      place.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield results.broken(address, error.message, error.hint, error.exit === 'attention' ? 'io' : error.exit);
  }
}
