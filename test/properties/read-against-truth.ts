import fc from 'fast-check';
import { expect } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { createRowNormaliser, type NormalisedRow } from '../../src/normalise/normalise-row.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { planDrop } from '../../src/reading/plan-drop.js';
import { clockAt } from '../normalise/builders.js';
import { sourceOf } from '../staging/staging-bench.js';
import { allRows, openContent } from '../support/open-content.js';
import { samples } from '../support/samples.js';
import type { Table } from './damaged-table.js';

/** A file, its content before damage, and whether its reader can't see some rows. */
type Damaged = readonly [file: string | Buffer, table: Table, isCut?: boolean];

/** Of every drawn table, however it is spoilt: no wrong record, and no row that is gone without a word. */
export async function holds<T>(
  drawn: fc.Arbitrary<T>,
  damage: (value: T) => Damaged,
  numRuns = 60,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(drawn, async (value) => {
      const [file, table, isCut = false] = damage(value);
      expect(await faults(file, table, isCut)).toEqual([]);
    }),
    { numRuns: samples(numRuns) },
  );
}

/** How the reading of a file differs from the table it is made from; none: []. */
export async function faults(file: string | Buffer, table: Table, isCut = false): Promise<string[]> {
  const found = await read(file);
  if (typeof found === 'string') return found.trim() === '' ? ['refused without a word'] : [];
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const row of found) {
    if (row.disposition === 'record') {
      const { fields } = row.record;
      const learner = fields['user-id'];
      const truth = table.truth.get(String(learner));
      const read = Object.fromEntries(
        Object.entries(fields).filter(([name]) => COMPARED_FIELDS.includes(name)),
      );
      if (seen.has(String(learner))) wrong.push(`twice: ${learner}`);
      seen.add(String(learner));
      if (truth === undefined || truth === null) wrong.push(`no such record: ${JSON.stringify(read)}`);
      else if (JSON.stringify(sorted(read)) !== JSON.stringify(sorted(truth))) {
        wrong.push(`${JSON.stringify(read)} for ${JSON.stringify(truth)}`);
      }
    } else if ('issues' in row && row.issues.every(({ message }) => message.trim() === '')) {
      wrong.push(`${row.disposition} without a word`);
    }
  }
  const data = found.filter((row) => ['record', 'invalid', 'skipped'].includes(row.disposition));
  if (!isCut && data.length < table.rows.length) wrong.push(`${data.length} of ${table.rows.length} rows`);
  return wrong;
}

/** The fields of a record in a table's truth. */
const COMPARED_FIELDS = ['user-id', 'content-id', 'completed-at', 'percentile'];

function sorted(record: object): [string, unknown][] {
  return Object.entries(record).sort(([one], [two]) => (one < two ? -1 : 1));
}

/** What staging would make of each row, or why the file is refused. */
async function read(file: string | Buffer): Promise<readonly NormalisedRow[] | string> {
  const source = sourceOf({ timeZone: 'UTC', defaults: { 'user-identifier-type': 'Email' } });
  try {
    const opened = await openContent(file);
    for (const profiled of ['sample', 'whole'] as const) {
      const plan = await planDrop(opened, source, profiled);
      if (plan.kind === 'correction') throw new Error('no correction');
      if (plan.kind === 'refused')
        return plan.issues.map(({ message, remedy }) => `${message}: ${remedy}`).join(' ');
      const normalise = createRowNormaliser(
        submitCompletion,
        source,
        plan.header,
        plan.profile,
        clockAt('2026-03-02T08:00:00.000Z'),
      );
      const rows = (await allRows(opened, plan.sheet ?? undefined)).map(normalise);
      if (rows.every(({ disposition }) => disposition !== 'undecided')) return rows;
    }
    throw new Error('a row is undecided under a profile of the whole drop');
  } catch (error) {
    if (error instanceof OperatorError) return `${error.message} ${error.hint}`;
    throw error;
  }
}

/** Why a file is refused; null: it is read. */
export async function refusal(file: string | Buffer): Promise<string | null> {
  const found = await read(file);
  return typeof found === 'string' ? found : null;
}
