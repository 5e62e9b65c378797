import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { globMatcher } from '../../config/values/glob.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { collected } from '../../domain/process/series.js';
import { countOf } from '../../domain/text/count-of.js';
import { openPlace } from '../../inbox/open-place.js';
import { type RemoteSource, remoteInboxOf } from '../../inbox/remote-inbox.js';
import {
  openResultPlace,
  type ResultPlace,
  type ResultTarget,
  resultTargetOf,
} from '../../inbox/result-place.js';
import { sourceNamed, type Workspace } from '../context.js';
import { type Finding, findings } from '../doctor/finding.js';

type PlaceContext = Pick<Workspace, 'config' | 'paths' | 'clock'>;

/**
 * Tests everything that fetching files and delivering results needs, including the rights to move and delete.
 * Throws OperatorError where there is no such source, or it has neither.
 */
export async function testSource(
  workspace: PlaceContext,
  name: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const source = sourceNamed(workspace.config, name);
  if (remoteInboxOf(source) !== null || resultTargetOf(source) !== null)
    return collected(checkPlaces(source, workspace, true, signal));
  const message = `source ${name} has no remote inbox and no target for results: its files come into a folder`;
  const hint = 'registrar doctor examines folders. docs/sources.md shows how to name a server.';
  throw errorsOf('test a source')(name, message, hint);
}

/**
 * Checks that these locations can be used. @param withWrites true: also tests archiving or deleting, and writing, with a
 * file that is made and removed.
 */
export async function* checkPlaces(
  source: SourceConfig,
  context: PlaceContext,
  withWrites: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const remote = remoteInboxOf(source);
  if (remote !== null)
    yield* upToFault(remote.place, remoteBroken, checkRemote(remote, context, withWrites, signal));
  const target = resultTargetOf(source);
  if (target !== null)
    yield* upToFault(target.place, resultsBroken, checkTarget(target, context, withWrites, signal));
}

const { ok: remoteOk, broken: remoteBroken } = findings('remote', 'io');
const { ok: resultsOk, broken: resultsBroken } = findings('results', 'io');

/** Whether a fetch from a remote inbox would work: the host key, the account, the right to list, to read and to settle originals. */
async function* checkRemote(
  inbox: RemoteSource,
  { paths }: PlaceContext,
  withWrites: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { source, sftp, originals, place: address } = inbox;
  const place = await openPlace(inbox, paths.root, signal);
  try {
    if (sftp !== undefined)
      yield remoteOk(address, `shows the host key of the source, and accepts the account ${sftp.user}`);
    const files = await place.list([]);
    const matches = globMatcher(source.match);
    const matching = files.filter(({ name }) => matches(name));
    const count = countOf(files.length, 'file');
    yield remoteOk(address, `holds ${count}, of which ${matching.length} match ${source.match}`);
    const [first] = matching;
    if (first !== undefined) {
      // The first bytes show the right to read.
      for await (const _ of place.read(first)) break;
      yield remoteOk(address, 'lets files be read');
    }
    if (withWrites && originals !== 'leave') {
      await place.folder?.try(originals);
      yield remoteOk(address, `lets files be ${originals === 'archive' ? 'archived' : 'deleted'}`);
    }
  } finally {
    place.close();
  }
}

/** Whether results reach their target, and may be written there. Of mail, the server and the account; none is sent. */
async function* checkTarget(
  target: ResultTarget,
  { config, paths, clock }: PlaceContext,
  withWrites: boolean,
  stop: AbortSignal,
): AsyncGenerator<Finding> {
  const { place: address, results } = target;
  if (results.mail !== undefined) {
    const { tryMail } = await import('../results/mail-result.js');
    await tryMail({ target, config, clock, stop });
    yield resultsOk(address, 'takes results: the mail server accepts the account; no mail was sent');
    return;
  }
  const place = await openResultPlace(target, paths.root, stop);
  try {
    if (withWrites) await testWrite(place);
    const tried = 'takes results: a test file was written and removed';
    yield resultsOk(address, withWrites ? tried : 'can be used for results');
  } finally {
    place.close();
  }
}

async function testWrite(place: ResultPlace): Promise<void> {
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

/** Yields findings up to the first failure. */
async function* upToFault(
  address: string,
  broken: typeof remoteBroken,
  checks: AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  try {
    yield* checks;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield broken(address, error.message, error.hint, error.exit === 'attention' ? 'io' : error.exit);
  }
}
