import type { SourceConfig } from '../config/schema.js';
import type { DropFormat } from '../domain/drop.js';
import { failpoint } from '../domain/process/failpoint.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { type Control, publishDrop } from '../ledger/drops/publish-drop.js';
import { setAsideSameKeys } from '../ledger/submissions/staging/same-key.js';
import { operationNamed } from '../operations/registry.js';
import { applyPublished, refuse, refusePlan, type StagedFile } from './door.js';
import type { StageResult } from './stage-context.js';
import type { Staged } from './stage-rows.js';

/**
 * Publishes the staged rows of a file, or refuses the file: for its rows, or for having too few or too many of them.
 */
export async function publish(
  staged: Staged,
  drop: DropFacts,
  format: DropFormat,
  file: StagedFile,
): Promise<StageResult> {
  if (staged.kind === 'interrupted') return { kind: 'interrupted' };
  if (staged.kind === 'refused') return refusePlan(staged, drop, format, file);
  const { context } = file;
  const { ledger, lease, source } = context;
  const operation = operationNamed(source.operation);
  const control = controlOf(source);
  if (!(await setAsideSameKeys(ledger, lease, staged.dropId, operation, source.sameKey))) {
    return { kind: 'interrupted' };
  }
  const published = await publishDrop(ledger, lease, staged.dropId, staged, control);
  if (published.kind === 'overtaken') return { kind: 'interrupted' };
  if (published.kind === 'different') {
    if (control === null) throw new Error('nothing was expected');
    const text = refusalText(control, published.read);
    return refuse(drop, format, { code: 'control-total', text }, file);
  }
  failpoint('drop-published');
  return applyPublished(published, context);
}

function controlOf({ control }: SourceConfig): Control | null {
  if (control === undefined) return null;
  const { rows, whenDifferent } = control;
  return { expected: { min: rows.min, max: rows.max ?? null }, isBinding: whenDifferent === 'refuse' };
}

function refusalText({ expected: { min, max } }: Control, read: number): string {
  const were = `but ${read} ${agreeing(read, 'was', 'were')} read.`;
  const words = [
    ...(min !== null && read < min
      ? [`At least ${countOf(min, 'row is', 'rows are')} expected, ${were}`]
      : []),
    ...(max !== null && read > max
      ? [`At most ${countOf(max, 'row is', 'rows are')} expected, ${were}`]
      : []),
  ];
  return [...words, REMEDY].join(' ');
}

const REMEDY =
  'Have the whole file sent again; or, if the file is complete, correct control.rows of the source and move the file into the inbox again.';
