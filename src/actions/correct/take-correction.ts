import { join } from 'node:path';
import { OperatorError } from '../../domain/operator-error.js';
import { underRun } from '../../ledger/attempts/under-run.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { filesToTake, type RecordedDecision } from '../../ledger/decisions/decision-log.js';
import { withdrawDrop } from '../../ledger/drops/withdraw-drop.js';
import type { KeptLeases } from '../../ledger/leases/leases.js';
import { closeOriginals } from '../../ledger/submissions/again/close-originals.js';
import { operationNamed } from '../../operations/registry.js';
import type { StageResult } from '../../staging/conclude-drop.js';
import { requireKnownSettings } from '../../staging/key-settings.js';
import { stageDrop } from '../../staging/stage-drop.js';
import {
  type KeptCorrection,
  keptCorrection,
  removeUndecided,
} from '../../workspace/taken/kept-corrections.js';
import { archiveDrop, rejectDrop } from '../../workspace/taken/shelve-drop.js';
import type { ActionContext } from '../context.js';
import { carrySteps } from '../decision/carry-steps.js';
import { mapUnderLease } from '../decision/open-mapping.js';
import { byHand } from '../run/by-hand.js';

/**
 * Takes in the file of a correction given by hand like a file from an inbox, under the name and for the reason of the
 * person who gave it, and puts it away. May be repeated, which picks up what an interrupted call has left.
 * @returns the result of staging the file, sheet by sheet; [] where an interrupted call had put it away, or somebody has
 *   removed it: then nothing is left to take in.
 */
export async function takeCorrection(
  context: ActionContext,
  decision: RecordedDecision,
  runId: number | null,
  { leases, lost }: KeptLeases,
): Promise<readonly StageResult[]> {
  const { ledger, config, paths } = context;
  const { decisionId, selection } = decision;
  const sha256 = String(selection.file);
  const source = config.sources.find(({ name }) => name === selection.source);
  if (source === undefined) throw sourceGone(decisionId, String(selection.source));
  const { staging, decisions } = (await readState(ledger, ['work'])).work;
  await removeUndecided(paths, filesToTake(decisions));
  const kept = await keptCorrection(join(paths.processing, source.name), sha256);
  if (kept === null) return [];
  await requireKnownSettings(ledger, source, null);
  const lease = leases.find(({ name }) => name === 'stage');
  if (lease === undefined) throw new Error('a correction is taken in under the lease of whoever stages');
  const take = async (own: number) => {
    // The correction may repeat rows of a half staged drop, which may never count: its next run begins that drop anew.
    for (const drop of staging) {
      if (drop.sha256 !== sha256) await withdrawDrop(ledger, lease, drop.dropId, own);
    }
    const results = await stageDrop(kept.path, kept.name, {
      ledger,
      lease,
      runId: own,
      // The process that died may have recorded the arrival.
      isLeft: true,
      source,
      operation: operationNamed(source.operation),
      sources: config.sources,
      confirmedBy: null,
      who: { name: decision.who, door: decision.door },
      because: decision.because,
      mapLearner: (...mapping) => mapUnderLease(context, ...mapping),
      closeCorrected: async ({ dropId }) => carrySteps(closeOriginals(ledger, dropId, decisionId, own), lost),
      beside: false,
      stop: lost,
      listen: () => {},
    });
    await putAway(context, source.name, kept, results, decisionId);
    const isRefused = results.some(({ kind }) => kind === 'refused');
    return { results, exit: isRefused ? ('attention' as const) : ('done' as const) };
  };
  const { results } =
    runId === null
      ? await underRun(
          ledger,
          byHand(),
          async (run) => take(run.runId),
          ({ exit }) => ({ end: exit }),
        )
      : await take(runId);
  return results;
}

/** Puts the file away like a file from an inbox. */
async function putAway(
  { paths }: ActionContext,
  source: string,
  { path, name }: KeptCorrection,
  results: readonly StageResult[],
  decisionId: number,
): Promise<void> {
  const claimed = { source, name, path };
  const refusals = results.flatMap((result) => (result.kind === 'refused' ? [result.sentence] : []));
  const [taken] = results.flatMap((result) => ('dropId' in result ? [result.dropId] : []));
  if (results.some(({ kind }) => kind === 'interrupted')) throw takenOver(decisionId);
  if (results.some(({ kind }) => kind === 'changed')) throw changed(path);
  if (refusals.length > 0) await rejectDrop(claimed, paths, refusals.join('\n'));
  else if (taken !== undefined) await archiveDrop(claimed, paths, taken);
}

function sourceGone(decisionId: number, source: string): OperatorError {
  return new OperatorError({
    operation: 'take in a correction',
    subject: source,
    message: `decision ${decisionId} corrects rows of source ${source} and was broken off, and registrar.yaml has no such source any more`,
    hint: 'Put the source back into registrar.yaml: the next registrar run or decision carries it out.',
    exit: 'attention',
  });
}

function takenOver(decisionId: number): OperatorError {
  return new OperatorError({
    operation: 'take in a correction',
    subject: `decision ${decisionId}`,
    message: 'another process has taken over this correction',
    hint: 'What is done stays done, and the next registrar run or decision carries out the rest.',
  });
}

function changed(path: string): OperatorError {
  return new OperatorError({
    operation: 'take in a correction',
    subject: path,
    message: `${path} changed while it was taken in, and nothing of it counts yet`,
    hint: 'Leave what lies in processing/ to Registrar: the next registrar run or decision takes it in.',
    exit: 'attention',
  });
}
