import { CONFIG_FILE } from '../../config/load-config.js';
import { OperatorError } from '../../domain/operator-error.js';
import { collected } from '../../domain/process/series.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import type { Workspace } from '../context.js';
import type { Finding } from '../doctor/finding.js';
import { checkRemote } from './check-remote.js';

/**
 * Tries everything that a fetch from the source's remote inbox needs, the right to move and delete included, by a file of its
 * own; writes nothing here. Throws OperatorError where there is no such source, or it has no remote inbox.
 */
export async function testSource(
  { config, paths }: Pick<Workspace, 'config' | 'paths'>,
  name: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const source = config.sources.find((one) => one.name === name);
  const remote = source === undefined ? null : remoteInboxOf(source);
  if (remote !== null) return collected(checkRemote(remote, paths.root, { isMoving: true }, signal));
  throw new OperatorError({
    operation: 'test a source',
    subject: name,
    message:
      source === undefined
        ? `${CONFIG_FILE} has no source "${name}"`
        : `source ${name} has no remote inbox: its files come into a folder`,
    hint:
      source === undefined
        ? `It has ${config.sources.map((one) => one.name).join(', ')}.`
        : 'registrar doctor examines folders. docs/sources.md shows how to name a server.',
  });
}
