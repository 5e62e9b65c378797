import type { SourceConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import type { Ledger } from '../ledger/store/query.js';
import { operationNamed } from '../operations/registry.js';
import type { CorrectionSheet } from '../reading/correction-file.js';
import { planRedrop } from '../reading/plan-redrop.js';
import {
  factsOf,
  isCutShort,
  publish,
  refusePlan,
  repeatOf,
  type StagedFile,
  type StageResult,
  unlessItsFault,
} from './conclude-drop.js';
import { requireKnownSettings } from './key-settings.js';
import { planAddresses } from './prepare/address-sheet.js';
import { addressRows, redropRows } from './rows-to-stage.js';
import { stageRows } from './stage-rows.js';

/** Stages each sheet by itself, in the workbook's order: a sheet that can't be taken in doesn't stop the others. */
export async function stageCorrections(
  opened: OpenedDrop,
  sheets: readonly CorrectionSheet[],
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const results: StageResult[] = [];
  for (const sheet of sheets) {
    const part = sheets.length === 1 ? undefined : (sheet.sheet ?? undefined);
    const ofSheet = part === undefined ? file : { ...file, part };
    results.push(...(await unlessItsFault(ofSheet, async () => stageSheet(opened, sheet, ofSheet))));
    if (results.some(isCutShort)) break;
  }
  return results;
}

async function stageSheet(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  file: StagedFile,
): Promise<StageResult> {
  const { ledger, sources } = file.context;
  if (sheet.of === 'learners') return stageAddresses(opened, sheet, file);
  const plan = await planRedrop(opened, sheet, ledger, sources);
  if (plan.kind === 'refused') {
    return refusePlan(plan, factsOf(opened.identity, file), opened.format, file);
  }
  const { source } = plan;
  const context = { ...file.context, source, operation: operationNamed(source.operation) };
  const drop = factsOf(opened.identity, { ...file, context });
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  // The settings of the inbox's own source have been checked already.
  if (source.name !== file.context.source.name) await requireItsSettings(ledger, source);
  // Nobody has counted the rows of a corrected file.
  return publish(
    await stageRows(await redropRows(opened, plan, context), drop, context),
    drop,
    opened.format,
    { ...file, context },
  );
}

/** Stages the right addresses that people have given for learners, as a drop of the source in whose inbox the file lay. */
async function stageAddresses(
  opened: OpenedDrop,
  sheet: CorrectionSheet,
  file: StagedFile,
): Promise<StageResult> {
  const { context } = file;
  const drop = factsOf(opened.identity, file);
  const repeated = await repeatOf(drop, context);
  if (repeated) return repeated;
  const plan = await planAddresses(opened, sheet, context.ledger);
  if (plan.kind === 'refused') throw new Error('there is a ledger');
  const staged = await stageRows(addressRows(opened, plan), drop, context);
  return publish(staged, drop, opened.format, file);
}

/**
 * Requires unchanged settings of another source than the inbox's. Changed ones refuse the sheet and don't stop the inbox.
 */
async function requireItsSettings(ledger: Ledger, source: SourceConfig): Promise<void> {
  try {
    await requireKnownSettings(ledger, source, null);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { operation, subject, message, hint } = error;
    throw new OperatorError({ operation, subject, message, hint, exit: 'attention', cause: error });
  }
}
