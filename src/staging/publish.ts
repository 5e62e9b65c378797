import type { DropFormat } from '../domain/drop.js';
import { failpoint } from '../domain/process/failpoint.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import { type ExpectedRows, publishDrop } from '../ledger/drops/publish-drop.js';
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
  const rows = source.control?.rows;
  const expected = rows === undefined ? null : { min: rows.min, max: rows.max ?? null };
  if (!(await setAsideSameKeys(ledger, lease, staged.dropId, operation, source.sameKey))) {
    return { kind: 'interrupted' };
  }
  const published = await publishDrop(ledger, lease, staged.dropId, staged, expected);
  if (published.kind === 'overtaken') return { kind: 'interrupted' };
  if (published.kind === 'different') {
    if (expected === null) throw new Error('nothing was expected');
    const text = refusalText(expected, published.read);
    return refuse(drop, format, { code: 'control-total', text }, file);
  }
  failpoint('drop-published');
  return applyPublished(published, context);
}

function refusalText({ min, max }: ExpectedRows, read: number): string {
  const [bound, rows] = read < min ? ['least', min] : ['most', max ?? 0];
  return `At ${bound} ${countOf(rows, 'row is', 'rows are')} expected, but ${read} ${agreeing(read, 'was', 'were')} read. ${REMEDY}`;
}

const REMEDY =
  'Have the whole file sent again; or, if the file is complete, correct control.rows of the source and move the file into the inbox again.';
