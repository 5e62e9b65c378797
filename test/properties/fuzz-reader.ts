import { sourceSchema } from '../../src/config/schema/source-schema.js';
import { systemClock } from '../../src/domain/clock.js';
import { OperatorError } from '../../src/domain/operator-error.js';
import { openDrop } from '../../src/intake/open-drop.js';
import type { OpenedDrop } from '../../src/intake/opened-drop.js';
import { planDrop } from '../../src/reading/plan-drop.js';
import { NO_LEDGER, prepareRows } from '../../src/staging/prepare/prepare-rows.js';

/** The outcome of one file. */
export interface FuzzAnswer {
  /** `refused` with the sentence for the operator, `crashed` with whatever else was thrown. */
  readonly outcome: 'read' | 'refused' | 'crashed';
  readonly detail: string;
  /** Of this process so far. */
  readonly peakMb: number;
}

/** A process of its own that reads the files it gets, so that it can be killed and its memory capped. */
process.on('message', (path: string) => {
  void readFile(path).then((answer) => process.send?.(answer));
});

async function readFile(path: string): Promise<FuzzAnswer> {
  const answer = (outcome: FuzzAnswer['outcome'], detail: string): FuzzAnswer => {
    return { outcome, detail, peakMb: process.resourceUsage().maxRSS / 1024 };
  };
  try {
    const opened = await openDrop(path, {});
    const sheets = opened.workbook?.sheets.map(({ name }) => name) ?? [undefined];
    let rows = 0;
    for (const sheet of sheets.slice(0, SHEETS_MAX)) {
      for await (const batch of opened.rows(sheet)) rows += batch.length;
    }
    return answer('read', `${rows} rows, ${await prepareAll(opened)} prepared`);
  } catch (error) {
    if (error instanceof OperatorError) return answer('refused', `${error.message} ${error.hint}`);
    return answer('crashed', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** A mutation may list one sheet many times. */
const SHEETS_MAX = 5;

const SOURCE = sourceSchema.parse({
  name: 'fuzz',
  operation: 'submit-completion',
  environment: 'main',
  timeZone: 'Europe/Berlin',
});

/** All that staging does with a file before it writes, on this thread. */
async function prepareAll(opened: OpenedDrop): Promise<number> {
  const plan = await planDrop(opened, SOURCE);
  if (plan.kind !== 'export') return 0;
  let rows = 0;
  const preparation = { ...NO_LEDGER, source: SOURCE, clock: systemClock() };
  for await (const { rowsRead } of prepareRows(opened, preparation, plan, 0)) rows += rowsRead;
  return rows;
}
