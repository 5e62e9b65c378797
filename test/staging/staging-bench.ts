import { checkCorrectedFile } from '../../src/actions/check.js';
import { applyCorrection } from '../../src/actions/correct/handler.js';
import { KNOWN_CALLS } from '../../src/config/platform-calls.js';
import { sourceSchema } from '../../src/config/schema/source-schema.js';
import type { SourceConfig } from '../../src/config/schema.js';
import type { Disposition } from '../../src/domain/row.js';
import { openDrop } from '../../src/intake/open-drop.js';
import { fileStamp } from '../../src/intake/read-bytes.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { planDrop } from '../../src/reading/plan-drop.js';
import { type CheckedDrop, checkDrop } from '../../src/staging/check/check-drop.js';
import { readCorrectedFile } from '../../src/staging/correct/corrected-file.js';
import type { StageContext, StageResult } from '../../src/staging/stage-context.js';
import { stageFile } from '../../src/staging/stage-drop.js';
import { actionContext } from '../support/action-context.js';
import { decider } from '../support/decider.js';
import { writeDrop } from '../support/open-content.js';
import { mustLease } from '../support/staged-ledger.js';

/** A source with the schema's defaults and a zone. */
export function sourceOf(settings: Readonly<Record<string, unknown>> = {}): SourceConfig {
  return sourceSchema.parse({
    name: 'academy',
    operation: 'submit-completion',
    environment: 'main',
    timeZone: 'Europe/Berlin',
    ...settings,
  });
}

/** Stages a file with this content on the same thread, as a run of its own and under the stage lease. */
export async function stageContent(
  ledger: Ledger,
  content: string | Buffer,
  overrides: Partial<StageContext> = {},
): Promise<StageResult> {
  const [result, another] = await stageSheets(ledger, content, overrides);
  if (!result || another) throw new Error('the file became several drops');
  return result;
}

/** The same of a file that may be a drop for each of its sheets. */
export async function stageSheets(
  ledger: Ledger,
  content: string | Buffer,
  overrides: Partial<StageContext> = {},
): Promise<readonly StageResult[]> {
  return stagePath(ledger, writeDrop(content), overrides);
}

/** The same of a file that is there. */
export async function stagePath(
  ledger: Ledger,
  path: string,
  overrides: Partial<StageContext> = {},
): Promise<readonly StageResult[]> {
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  const lease = overrides.lease ?? (await mustLease(ledger, 'stage'));
  try {
    return await stageFile(path, 'drop.csv', fileStamp(path), {
      ledger,
      lease,
      runId,
      isResumed: false,
      source: sourceOf(),
      allSources: [overrides.source ?? sourceOf()],
      confirmedBy: null,
      who: decider('somebody'),
      correct: async (correction) =>
        (
          await applyCorrection(
            actionContext(ledger, {
              sources: [...(overrides.allSources ?? [overrides.source ?? sourceOf()])],
            }),
            correction,
            runId,
          )
        ).decisionId,
      beside: false,
      stop: new AbortController().signal,
      listen: () => {},
      ...overrides,
    });
  } finally {
    await releaseLease(ledger, lease);
  }
}

/** Stages until the first batch is written, like a run that is stopped then. */
export async function stageFirstBatch(ledger: Ledger, content: string): Promise<StageResult> {
  const stop = new AbortController();
  return stageContent(ledger, content, {
    stop: stop.signal,
    listen: ({ kind }) => kind === 'rows' && stop.abort(),
  });
}

/** What a dry run says about a file with this content. */
export async function checkContent(
  ledger: Ledger,
  content: string | Buffer,
  known: Ledger | null = ledger,
  source: SourceConfig = sourceOf(),
): Promise<CheckedDrop> {
  const opened = await openDrop(writeDrop(content), {});
  const plan = await planDrop(opened, source);
  if (plan.kind === 'correction') throw new Error('it corrects rows: checkCorrections');
  if (plan.kind === 'refused') throw new Error(plan.issues.map(({ message }) => message).join(' '));
  return checkDrop(opened, plan, {
    calls: KNOWN_CALLS,
    ledger: known,
    clock: ledger.clock,
    source,
    limit: 1_000,
    after: null,
  });
}

/** What a dry run says about a file of corrections. */
export async function checkCorrections(ledger: Ledger, content: string | Buffer, sources = [sourceOf()]) {
  const opened = await openDrop(writeDrop(content), {});
  const planned = await planDrop(opened, sources[0] as SourceConfig);
  if (planned.kind !== 'correction') throw new Error('it corrects no row');
  const read = await readCorrectedFile(opened, planned.sheets, ledger, sources);
  return checkCorrectedFile({ ledger, config: actionContext(ledger, { sources }).config }, read, 1_000);
}

/** The dispositions of a drop that was published. */
export function dispositionsOf(result: StageResult): Readonly<Record<Disposition, number>> {
  if (result.kind !== 'published') throw new Error(`the drop was ${result.kind}, not published`);
  return result.dispositions;
}
