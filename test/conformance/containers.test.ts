import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { arrivedFiles } from '../../src/ledger/drops/arrived-files.js';
import { containersOf, fetchedFiles, recordInbox } from '../../src/ledger/drops/record-inbox.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { ENGINES } from './engines.js';
import { fileOf, publishedDrop } from './staged-drop.js';

const PLACE = 'sftp://files.example.com:22/out';

describe.each(ENGINES)('a container on $name', ({ open }) => {
  it('is known with its drops, and has come in once each of them counts', async () => {
    const { ledger } = await open();
    const [zip, march, april] = [
      await fileOf(ledger, 'x.zip'),
      await fileOf(ledger, 'x.zip#march.csv'),
      await fileOf(ledger, 'x.zip#april.csv'),
    ];
    const { sha256 } = zip.identity;
    const file = { place: PLACE, name: 'x.zip', version: '1 byte' };
    await recordInbox(ledger, 'academy', { kind: 'fetched', file, sha256 });
    const files = [march, april].map(({ identity }) => identity.sha256);
    const note = { kind: 'unpacked', container: zip.identity, files } as const;
    await recordInbox(ledger, 'academy', note);
    await recordInbox(ledger, 'academy', note);
    const isPublished = async () => (await fetchedFiles(ledger, 'academy', PLACE))[0]?.isPublished;
    expect(await isPublished()).toBe(false);
    const dropId = await publishedDrop(ledger, march, [{}]);
    expect(await isPublished()).toBe(false);
    await publishedDrop(ledger, april, [{ content: 'C-2' }]);
    expect(await isPublished()).toBe(true);
    const { containers } = await readState(ledger, ['containers']);
    expect(containers).toHaveLength(2);
    expect(containersOf(containers, { source: 'academy', sha256: march.identity.sha256 })).toEqual([sha256]);
    expect(containersOf(containers, { source: 'campus', sha256: march.identity.sha256 })).toEqual([]);
    expect((await arrivedFiles(ledger)).get(dropId)?.identities).toEqual([march.identity, zip.identity]);
  });

  it('that was refused is closed by the files in it', async () => {
    const { ledger } = await open();
    const zip = await fileOf(ledger, 'x.zip');
    const march = await fileOf(ledger, 'x.zip#march.csv');
    await refuseDrop(ledger, { ...zip, format: null }, { code: 'drop-unreadable', text: 'It is cut.' });
    const refusedFiles = async () => (await readState(ledger, ['refusedFiles'])).refusedFiles;
    const files = [march.identity.sha256];
    await recordInbox(ledger, 'academy', { kind: 'unpacked', container: zip.identity, files });
    expect(await refusedFiles()).toHaveLength(1);
    await publishedDrop(ledger, { ...march, runId: (await fileOf(ledger, 'later')).runId }, [{}]);
    expect(await refusedFiles()).toEqual([]);
  });
});
