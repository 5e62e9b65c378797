import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { carryOut, plan } from '../../src/actions/confirm.js';
import { systemClock } from '../../src/domain/clock.js';
import { openDecisions } from '../../src/ledger/decisions/decision-log.js';
import { requireKnownSettings } from '../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../staging/staging-bench.js';
import { actionContext } from '../support/action-context.js';
import { bytesOnDisk } from '../support/bytes-on-disk.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows, USUAL_COLUMNS } from '../support/exports.js';
import { testLedger } from '../support/staged-ledger.js';
import { decisions } from '../support/told.js';

const OTHERWISE = { ...USUAL_COLUMNS, email: 'Work email' };

/** A source with two staged rows, whose zone has changed, and a file in its inbox that names a column otherwise. */
async function inQuestion() {
  const ledger = testLedger(systemClock());
  await requireKnownSettings(ledger, sourceOf(), null);
  await stageContent(ledger, csvOf(exportRows(2)));
  const source = sourceOf({ timeZone: 'Europe/Lisbon' });
  const context = actionContext(ledger, { sources: [source] });
  const inbox = context.paths.inbox(source);
  mkdirSync(inbox, { recursive: true });
  const content = csvOf([exportRow(9)], OTHERWISE);
  writeFileSync(join(inbox, 'new.csv'), content);
  return { ledger, context, source, content };
}

it('a plan to confirm says what has changed and how many rows would be new, and changes nothing', async () => {
  const { ledger, context } = await inQuestion();
  const before = bytesOnDisk(ledger);
  expect(await plan(context, { source: 'academy' })).toMatchObject({
    settings: [{ name: 'timeZone', was: 'Europe/Berlin', is: 'Europe/Lisbon' }],
    rows: 2,
    files: [{ file: 'new.csv', issues: [{ message: expect.stringContaining('Work email') }] }],
  });
  expect(bytesOnDisk(ledger)).toBe(before);
});

it('what is confirmed is recorded with who and why, and its files come in then', async () => {
  const { ledger, context, source, content } = await inQuestion();
  const planned = await plan(context, { source: 'academy' });
  await carryOut(context, planned, decider('ada'), 'the school has moved');
  const confirmed = { kind: 'confirm', who: 'ada', because: 'the school has moved' };
  expect(await decisions(ledger)).toMatchObject([confirmed, confirmed]);
  expect(await openDecisions(ledger)).toEqual([]);
  expect(await plan(context, { source: 'academy' })).toMatchObject({ settings: [], rows: 0, files: [] });
  expect(await stageContent(ledger, content, { source })).toMatchObject({ kind: 'published' });
});
