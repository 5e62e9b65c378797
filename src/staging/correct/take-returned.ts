import type { OpenedDrop } from '../../intake/opened-drop.js';
import { knownReturned } from '../../ledger/decisions/corrected-rows.js';
import type { DropFacts } from '../../ledger/drops/drops.js';
import type { NewCorrection } from '../../ledger/erasure/open-decision.js';
import type { CorrectionSheet } from '../../reading/correction-file.js';
import { refusePlan, type StagedFile } from '../door.js';
import type { StageResult } from '../stage-context.js';
import { leftOfFile, type ReturnedFile, readReturnedFile, refusalText } from './returned-file.js';

/**
 * Takes a file of corrections that lies in processing/: what it asks for becomes decisions, which are recorded with its arrival
 * in one transaction and carried out. Where a part of it can't be done and stands nowhere else, the file is set aside as well,
 * with that as the reason. The same bytes again decide nothing, unless they are set aside.
 */
export async function takeReturned(
  opened: OpenedDrop,
  sheets: readonly CorrectionSheet[],
  drop: DropFacts,
  file: StagedFile,
): Promise<readonly StageResult[]> {
  const { ledger, allSources, who, isLeft, source, runId, correct } = file.context;
  const { sha256 } = drop.identity;
  const known = await knownReturned(ledger, sha256, drop);
  if (known !== null && (known.setAside === null || isLeft)) {
    return [
      { kind: 'corrected', decisionId: known.decisionId, sha256, isRepeat: !isLeft },
      ...(known.setAside === null ? [] : [{ kind: 'refused' as const, ...known.setAside }]),
    ];
  }
  const read = await readReturnedFile(opened, sheets, ledger, allSources);
  if (read.sheets.length === 0) {
    return [await refusePlan({ kind: 'refused', issues: read.refused }, drop, opened.format, file)];
  }
  const { issues, toRepair } = leftOfFile(read);
  const [first] = toRepair;
  const text = refusalText(toRepair);
  const arrival = { sha256, fileName: drop.fileName, source: source.name, runId };
  const aside = { ...drop, format: opened.format };
  const refusal = first === undefined ? null : { drop: aside, why: { code: first.code, text } };
  const decisionId = await correct({
    ...askedBy(read),
    who,
    because: drop.fileName,
    file: { ...arrival, issues, refusal },
  });
  const result = { kind: 'corrected', decisionId, sha256, isRepeat: false } as const;
  return refusal === null ? [result] : [result, { kind: 'refused', dropId: 0, sentence: text }];
}

/** The rows and learners that a file asks to correct. */
export function askedBy({ sheets }: ReturnedFile): Pick<NewCorrection, 'rows' | 'mappings'> {
  return {
    rows: sheets.flatMap(({ rows }) =>
      rows.flatMap(({ of, cells, applies }) => (of === null || applies === null ? [] : [{ ...of, cells }])),
    ),
    mappings: sheets.flatMap((sheet) => (sheet.kind === 'addresses' ? sheet.mappings : [])),
  };
}
