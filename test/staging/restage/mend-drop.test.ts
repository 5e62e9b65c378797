import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { collected } from '../../../src/domain/process/in-turn.js';
import { keptRows } from '../../../src/ledger/drops/rows/row-blocks.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { damagedRows } from '../../../src/ledger/submissions/record/damaged-rows.js';
import { hurt, meddle } from '../../support/damage.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { restage } from '../../support/restage.js';
import { claimNext, mustLease, states, testLedger } from '../../support/staged-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';
import { lives } from '../../support/told.js';
import { sourceOf, stageContent } from '../staging-bench.js';

const CONTENT = csvOf([...exportRows(3), exportRow(9, { at: 'never' })]);

/** A drop of three good rows and an invalid one, with its file in archive/. */
async function staged() {
  const ledger = testLedger(systemClock());
  await stageContent(ledger, CONTENT);
  const archive = tempFolder();
  mkdirSync(join(archive, 'academy'));
  const file = join(archive, 'academy', '1-drop.csv');
  writeFileSync(file, CONTENT);
  return { ledger, archive, file, kept: await kept(ledger) };
}

/** All that must be as it was. */
async function kept(ledger: Ledger): Promise<unknown[]> {
  return [
    ...(await lives(ledger)).map(({ submissionId, record, key }) => ({ submissionId, record, key })),
    ...(await collected(keptRows(ledger, 1))),
  ];
}

const RECORD = `update submission set record = replace(record, 'example', 'exbmple') where submission_id = 2`;
const CELLS = "update row_block set cells = cast(substr(cells, 1, 40) || x'ff' || substr(cells, 42) as blob)";

it.each([
  ['a record', RECORD],
  ['its checksum', 'update submission set sum = sum + 1 where submission_id = 2'],
  ['a record and the cells it was made from', `${RECORD}; ${CELLS}`],
  ['cells alone', CELLS],
  ['the checksum of cells', 'update row_block set sum = 0'],
])('a damaged row is put back by restaging its drop, and is sent then: %s', async (_, damage) => {
  const { ledger, archive, kept: before } = await staged();
  hurt(ledger, damage);
  expect(await collected(damagedRows(ledger))).not.toEqual([]);
  const lease = await mustLease(ledger, 'push:main');
  const sent = new Set<number | undefined>();
  const sendAll = async () => {
    for (let round = 0; round < 6; round += 1) sent.add((await claimNext(ledger, lease, 1))?.submissionId);
  };
  await sendAll();
  const isHeld = (await states(ledger)).includes('held:damaged');
  expect(sent.has(2)).toBe(!isHeld);
  expect(await restage(ledger, 1, sourceOf(), archive)).toMatchObject({
    mended: isHeld ? 1 : 0,
    beyond: 0,
    open: 1,
    still: 1,
  });
  expect(await collected(damagedRows(ledger))).toEqual([]);
  expect(await kept(ledger)).toEqual(before);
  await sendAll();
  expect([...sent].filter((id) => id !== undefined).sort()).toEqual([1, 2, 3]);
});

it('cells whose file is gone from archive/, or is another by now, stay damaged, and that is said', async () => {
  const { ledger, archive, file } = await staged();
  writeFileSync(file, CONTENT.replace('Completed', 'completed'));
  hurt(ledger, CELLS);
  await expect(restage(ledger, 1, sourceOf(), archive)).rejects.toMatchObject({
    message: expect.stringMatching(/lines 1 to 5 of drop 1 is damaged/),
    exit: 'io',
  });
});

it('a row whose key is damaged is not put back: nobody could say which row it is', async () => {
  const { ledger, archive } = await staged();
  hurt(
    ledger,
    `update submission set key = x'00112233445566778899aabbccddeeff00112233' where submission_id = 2`,
  );
  expect(await restage(ledger, 1, sourceOf(), archive)).toMatchObject({ mended: 0, beyond: 1 });
});

it('nobody puts a record or cells back without a decision to restage, or cells of another checksum with one', async () => {
  const { ledger } = await staged();
  const put = (sql: string) => () => meddle(ledger, sql);
  const record = "update submission set record = '{}' where submission_id = 2";
  expect(put(record)).toThrow(/put back by a restaging/);
  expect(put("update row_block set cells = x'00'")).toThrow(/by an erasure only/);
  put(
    "insert into decision (kind, who, door, selection, made_at) values ('restage', 'x', 'inbox', '{}', 'now')",
  )();
  expect(put("update row_block set cells = x'00', sum = 5")).toThrow(/by an erasure only/);
});
