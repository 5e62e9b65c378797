import { describe, expect, it } from 'vitest';
import { pinReading } from '../../src/ledger/decisions/pin-reading.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import {
  confirmedMappings,
  type KeySettings,
  keyFacts,
  lastMapping,
} from '../../src/ledger/drops/source-facts.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';

const berlin = { timeZone: 'Europe/Berlin', dateOnly: 'start' };
const confirmation = { who: decider('ada'), because: 'right' };
const ADA = { user: 'ada@x.example' };
const BEA = { user: 'bea@x.example' };

async function factsOf(ledger: Ledger, source = 'academy', operation = 'submit-completion') {
  return {
    ...(await keyFacts(ledger, source)),
    last: await lastMapping(ledger, source, operation),
    confirmed: await confirmedMappings(ledger, source),
  };
}

async function pin(ledger: Ledger, settings: KeySettings): Promise<void> {
  await pinReading(ledger, 'academy', { settings, mappings: [] }, null);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('the first pinned value of a setting stays, and a setting without a value is pinned once it has one', async () => {
    const { ledger } = await open();
    await pin(ledger, { ...berlin, timeZone: '' });
    await pin(ledger, { dateOnly: 'end', timeZone: 'UTC' });
    await pin(ledger, berlin);
    expect((await factsOf(ledger)).settings).toEqual({ dateOnly: 'start', timeZone: 'UTC' });
  });

  it('a source without drops has no settings, no rows, no mapping and no reading', async () => {
    const { ledger } = await open();
    await pin(ledger, berlin);
    await publishedDrop(ledger, 'a.csv', [ADA]);
    const nothing = { settings: {}, rows: 0, last: null, confirmed: new Set() };
    expect(await factsOf(ledger, 'another')).toEqual(nothing);
  });

  it('the settings that a person confirms replace all pinned ones', async () => {
    const { ledger } = await open();
    await pin(ledger, { ...berlin, encoding: 'windows-1252' });
    const settings = { timeZone: 'UTC', dateOnly: 'start', encoding: '' };
    await pinReading(ledger, 'academy', { settings, mappings: [] }, confirmation);
    expect((await factsOf(ledger)).settings).toEqual({ timeZone: 'UTC', dateOnly: 'start' });
  });

  it('a reading is confirmed by a person alone, and the settings stay what they are', async () => {
    const { ledger } = await open();
    await pin(ledger, berlin);
    const reading = { settings: null, mappings: ['{"user-id":"email"}'] };
    await pinReading(ledger, 'academy', reading, null);
    expect((await factsOf(ledger)).confirmed.size).toBe(0);
    await pinReading(ledger, 'academy', reading, confirmation);
    expect(await factsOf(ledger)).toMatchObject({ settings: berlin, confirmed: new Set(reading.mappings) });
  });

  it('the rows that have keys and the last mapping are those of published drops of the source', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', [ADA, BEA]);
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'b.csv'), [
      { ...ADA, content: 'C-2' },
    ]);
    const last = { header: ['Email'], mapping: { 'user-id': 'Email' } };
    expect(await factsOf(ledger)).toMatchObject({ rows: 2, last: { file: 'a.csv', ...last } });
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    expect(await factsOf(ledger)).toMatchObject({ rows: 3, last: { file: 'b.csv', ...last } });
    expect((await factsOf(ledger, 'academy', 'add-skills')).last).toBeNull();
  });
});
