import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Issue } from '../../../../src/domain/issue.js';
import { beginDrop } from '../../../../src/ledger/drops/begin-drop.js';
import { thisProcess } from '../../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../../src/ledger/leases/runs.js';
import { fileOf } from '../../../../src/ledger/store/query.js';
import {
  type PreparedRow,
  readFilesOf,
  readRowsFile,
  removeReadFiles,
  type StagedRow,
} from '../../../../src/ledger/submissions/staging/read-rows.js';
import { stageBatch } from '../../../../src/ledger/submissions/staging/staging.js';
import { keyMaker } from '../../../../src/operations/keys.js';
import { preparedRecord } from '../../../../src/operations/prepared-record.js';
import { submitCompletion } from '../../../../src/operations/submit-completion.js';
import { PLAN } from '../../../conformance/stage-rows.js';
import { samples } from '../../../support/samples.js';
import { mustLease, stage, testLedger } from '../../../support/staged-ledger.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'registrar-read-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ISSUE: Issue = {
  code: 'score-left-out',
  column: 'Score',
  value: '1;5',
  message: 'It is left out.',
  remedy: 'Mend it.',
};

function record(user: number, score: number) {
  return preparedRecord({ operation: submitCompletion, environment: 'main' }, keyMaker('0'.repeat(64)), {
    fields: {
      'user-id': `user-${user}@example.com`,
      'user-identifier-type': 'Email',
      'content-id': 'C-1',
      'content-id-type': 'ExternalId',
      'content-type': 'course',
      'completed-at': '2026-01-10T09:00:00.000Z',
      percentile: score,
    },
  });
}

/** A row without its line. Learners and scores are few, so that rows repeat and amend each other. */
interface RowSpec {
  readonly kind: 'record' | 'invalid' | 'skipped' | 'non-data' | 'blank';
  readonly user: number;
  readonly score: number;
  readonly extra: '' | 'further' | 'left-out' | 'former';
}

const ROW_SPEC: fc.Arbitrary<RowSpec> = fc.record({
  kind: fc.constantFrom('record', 'record', 'record', 'record', 'invalid', 'skipped', 'non-data', 'blank'),
  user: fc.nat(5),
  score: fc.nat(2),
  extra: fc.constantFrom('', '', '', '', '', '', '', 'further', 'left-out', 'former'),
});

function rowOf({ kind, user, score, extra }: RowSpec, index: number): StagedRow {
  const line = index + 2;
  const whole = (row: PreparedRow): StagedRow => ({
    row,
    cells: kind === 'blank' ? null : JSON.stringify([kind, line]),
    strayQuotes: line % 7 === 0 ? '[1]' : null,
  });
  if (kind === 'blank') return whole({ kind, line });
  if (kind !== 'record') return whole({ kind, line, issues: [ISSUE] });
  return whole({
    kind,
    line,
    ...record(user, score),
    ...(extra === 'further' ? { further: [record(user + 1, score), record(user, score)] } : {}),
    ...(extra === 'left-out' ? { omitted: [ISSUE] } : {}),
    ...(extra === 'former' ? { formers: [record(user + 1, score).keys] } : {}),
  });
}

type Write = (rows: readonly StagedRow[]) => readonly StagedRow[] | string;

/** The rows that staging these batches of one drop writes into a table. */
async function staged(write: Write, ...batches: readonly (readonly StagedRow[])[]) {
  const ledger = testLedger();
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  const lease = await mustLease(ledger, 'stage');
  const drop = {
    source: 'academy',
    identity: { sha256: 'f'.repeat(64), bytes: 1 },
    fileName: 'read.csv',
    operation: submitCompletion.name,
    environment: 'main',
    runId,
    isResumed: false,
  };
  const { dropId } = await beginDrop(ledger, drop, PLAN);
  const target = { dropId, operation: submitCompletion, environment: 'main', sendAmendments: false };
  for (const batch of batches.filter((rows) => rows.length > 0)) {
    expect(await stageBatch(ledger, lease, target, write(batch))).not.toBeNull();
  }
  return (columns: string, table: string) =>
    fileOf(ledger).sqlite.prepare(`select ${columns} from ${table} order by 1, 2, 3`).all();
}

let files = 0;
function inFile(rows: readonly StagedRow[]): string {
  const path = join(folder, `rows-${++files}`);
  const file = readRowsFile(path);
  for (const row of rows) file.add(row);
  file.close();
  return path;
}

const TABLES = ['learner', 'content', 'submission', 'row', 'issue', 'open_item', 'counter'];

it('rows in a file become what the same rows in memory become, in one batch or in several', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ROW_SPEC, { minLength: 1, maxLength: 30 }), fc.nat(30), async (specs, cut) => {
      const rows = specs.map(rowOf);
      const whole = await staged((batch) => batch, rows);
      const filed = await staged(inFile, rows);
      for (const table of [...TABLES, 'row_part']) expect(filed('*', table)).toEqual(whole('*', table));
      // The amended rows of a batch come after its new ones, so numbers differ.
      const apart = await staged(inFile, rows.slice(0, cut), rows.slice(cut));
      for (const [columns, table] of [
        ['drop_id, line, revision, digest, record, state, cause', 'submission'],
        ['drop_id, line, disposition, cells, stray_quotes', 'row'],
        ['*', 'issue'],
        ['*', 'counter'],
        [
          'drop_id, staged_line, staged, amended, duplicate, invalid, skipped, non_data, blank, further',
          'drop_file',
        ],
      ] as const) {
        expect(apart(columns, table)).toEqual(whole(columns, table));
      }
    }),
    { numRuns: samples(125) },
  );
});

it('a file that another holder of the lease has deleted is no batch', async () => {
  const ledger = testLedger();
  const { dropId } = await stage(ledger, [{}]);
  const lease = await mustLease(ledger, 'stage');
  const target = { dropId, operation: submitCompletion, environment: 'main', sendAmendments: false };
  expect(await stageBatch(ledger, lease, target, join(folder, 'gone'))).toBeNull();
  expect(readdirSync(folder)).not.toContain('gone');
});

it('files of read rows are beside the ledger and are deleted by the beginning of their paths', () => {
  const beside = join(folder, 'registrar.db');
  const [one, other] = ['one-', 'other-'].map((batches) => readFilesOf(beside) + batches);
  const names = () => readdirSync(folder).filter((name) => name.startsWith('registrar.db'));
  for (const path of [`${one}1`, `${one}2`, `${other}1`]) readRowsFile(path).close();
  writeFileSync(beside, '');
  removeReadFiles(one ?? '');
  expect(names()).toHaveLength(2);
  expect(statSync(`${other}1`).size).toBeGreaterThan(0);
  removeReadFiles(readFilesOf(beside));
  expect(names()).toEqual(['registrar.db']);
});
