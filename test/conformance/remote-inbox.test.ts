import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { fetchedFiles, type RemoteVersion, recordInbox } from '../../src/ledger/drops/record-inbox.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';

const PLACE = 'sftp://files.example.com:22/out';
const MARCH = { place: PLACE, name: 'march.csv', version: '3 bytes' };
const SHA256 = 'a'.repeat(64);

const fetched = (ledger: Ledger, source: string, file: RemoteVersion) =>
  recordInbox(ledger, source, { kind: 'fetched', file, sha256: SHA256 });

const remoteInboxes = async (ledger: Ledger) => (await readState(ledger, ['remoteInboxes'])).remoteInboxes;

describe.each(ENGINES)('a remote inbox on $name', ({ open }) => {
  it('knows each fetched version until its original is settled; a version that appears again is another file', async () => {
    const { ledger } = await open();
    await fetched(ledger, 'academy', MARCH);
    await fetched(ledger, 'academy', { ...MARCH, version: '4 bytes' });
    await fetched(ledger, 'campus', MARCH);
    const known = () => fetchedFiles(ledger, 'academy', PLACE);
    expect(await known()).toEqual([
      { name: 'march.csv', version: '3 bytes', isPublished: false },
      { name: 'march.csv', version: '4 bytes', isPublished: false },
    ]);
    await recordInbox(ledger, 'academy', { kind: 'settled', file: MARCH });
    expect((await known()).map(({ version }) => version)).toEqual(['4 bytes']);
    await fetched(ledger, 'academy', MARCH);
    expect(await known()).toHaveLength(2);
    expect(await fetchedFiles(ledger, 'academy', 'sftp://other:22/')).toEqual([]);
  });

  it('is away from the first look that failed until one succeeds, and keeps what it held', async () => {
    const { ledger } = await open();
    const since = async () => (await remoteInboxes(ledger))[0]?.away?.since;
    await recordInbox(ledger, 'academy', {
      kind: 'polled',
      isAway: false,
      waiting: 2,
      oldestAt: '2026-03-01T06:00:00.000Z',
    });
    expect(await remoteInboxes(ledger)).toMatchObject([
      { source: 'academy', waiting: 2, oldestAt: '2026-03-01T06:00:00.000Z', fetchedAt: null, away: null },
    ]);
    const away = { kind: 'polled', isAway: true, message: 'it is gone', remedy: 'Wait.' } as const;
    await recordInbox(ledger, 'academy', away);
    const first = await since();
    await recordInbox(ledger, 'academy', { ...away, message: 'it is still gone' });
    expect(await since()).toBe(first);
    expect(await remoteInboxes(ledger)).toMatchObject([
      { waiting: 2, away: { message: 'it is still gone', remedy: 'Wait.' } },
    ]);
    await recordInbox(ledger, 'academy', { kind: 'polled', isAway: false, waiting: 0, oldestAt: null });
    await fetched(ledger, 'academy', MARCH);
    expect(await remoteInboxes(ledger)).toMatchObject([
      { waiting: 0, oldestAt: null, fetchedAt: expect.any(String), away: null },
    ]);
  });
});
