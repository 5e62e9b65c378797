import { CONFIG_FILE } from '../../config/load-config.js';
import { OperatorError } from '../../domain/operator-error.js';
import { collected } from '../../domain/process/series.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { resultTargetOf } from '../../inbox/result-place.js';
import type { Workspace } from '../context.js';
import type { Finding } from '../doctor/finding.js';
import { checkRemote } from './check-remote.js';
import { checkTarget } from './check-target.js';

/**
 * Tries everything that a fetch from the source's remote inbox needs, the right to move and delete included, and that results need
 * at their target, each by a file of its own. Throws OperatorError where there is no such source, or it has neither.
 */
export async function testSource(
  workspace: Pick<Workspace, 'config' | 'paths' | 'clock'>,
  name: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { config, paths } = workspace;
  const source = config.sources.find((configured) => configured.name === name);
  const remote = source === undefined ? null : remoteInboxOf(source);
  const target = source === undefined ? null : resultTargetOf(source);
  if (remote !== null || target !== null) {
    return [
      ...(remote === null
        ? []
        : await collected(checkRemote(remote, paths.root, { isMoving: true }, signal))),
      ...(target === null
        ? []
        : await collected(checkTarget(target, workspace, { isWriting: true }, signal))),
    ];
  }
  throw new OperatorError({
    operation: 'test a source',
    subject: name,
    message:
      source === undefined
        ? `${CONFIG_FILE} has no source "${name}"`
        : `source ${name} has no remote inbox and no target for results: its files come into a folder`,
    hint:
      source === undefined
        ? `It has ${config.sources.map((configured) => configured.name).join(', ')}.`
        : 'registrar doctor examines folders. docs/sources.md shows how to name a server.',
  });
}
