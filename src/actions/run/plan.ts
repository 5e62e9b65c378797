import { join, sep } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import type { PlannedSource, RunPlan } from '../../documents/run.js';
import { OperatorError } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { filesToFetch } from '../../inbox/fetch-files.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import type { Ledger } from '../../ledger/store/query.js';
import { estimatesOf } from '../../report/status/delivery-estimate.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import { findUnmatched } from '../../upkeep/find-unmatched.js';
import { claimedFiles } from '../../workspace/claimed/claim-drop.js';
import { errorCode } from '../../workspace/files/io-error.js';
import { listInbox, restsForMs } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';
import type { RunRequest } from './request.js';
import { environmentsOf, selectSources } from './select-sources.js';

/**
 * Works out what a run of this request would import and deliver. Reads folders, the listings of remote inboxes and the ledger alone:
 * the number of rows is known only once the files are read.
 * @param context its ledger is null where there has never been one.
 */
export async function plan(
  context: Omit<ActionContext, 'ledger'> & { readonly ledger: Ledger | null },
  request: Pick<RunRequest, 'sources' | 'confirmed' | 'intake' | 'push'>,
): Promise<RunPlan> {
  const { ledger, config } = context;
  const sources = request.intake ? selectSources(config, request.sources) : [];
  const names = request.push ? await environmentsOf(ledger, config, request.sources) : [];
  return {
    sources: await mapSeries(sources, (source) =>
      plannedSource(source, context, request.confirmed.includes(source.name)),
    ),
    unmatched: request.intake ? await findUnmatched(context, sources) : [],
    environments: await estimatesOf(context, names),
  };
}

async function plannedSource(
  source: SourceConfig,
  { ledger, paths, clock }: Parameters<typeof plan>[0],
  isConfirmed: boolean,
): Promise<PlannedSource> {
  try {
    const inQuestion = ledger === null || isConfirmed ? null : await settingsInQuestion(ledger, source);
    const take = await listInbox(source, paths).catch((error) => {
      // A run creates a missing inbox of the workspace.
      const willBeCreated =
        paths.inbox(source).startsWith(paths.root + sep) && errorCode(error.cause) === 'ENOENT';
      if (willBeCreated) return [];
      throw error;
    });
    const files = take.map((file) => ({
      file: file.name,
      bytes: file.sizeBytes,
      restsForMs: restsForMs(file, source.stableForMs, clock.nowMs()),
    }));
    const claimed = (await claimedFiles(join(paths.processing, source.name))).length;
    const inbox = remoteInboxOf(source);
    const listed = inbox === null ? [] : await filesToFetch(ledger, inbox, paths.root).catch(faultIn);
    const [remote, away] = listed instanceof OperatorError ? [[], listed] : [listed, null];
    const obstacle = inQuestion ?? away;
    return {
      source: source.name,
      files,
      remote,
      claimed,
      obstacle: obstacle && textOf(obstacle, obstacle === inQuestion),
    };
  } catch (error) {
    // A fault of one inbox doesn't affect the others.
    if (!(error instanceof OperatorError)) throw error;
    return { source: source.name, files: [], remote: [], claimed: 0, obstacle: textOf(error, false) };
  }
}

function faultIn(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  throw error;
}

function textOf({ message, hint }: OperatorError, confirmable: boolean) {
  return { message, hint, confirmable };
}
