import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newLedger } from '../../src/actions/upkeep/new-ledger.js';
import { restore as restoreBackup } from '../../src/actions/upkeep/restore.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { takePermit } from '../../src/ledger/permits/quota.js';
import { closeLedger, disconnect, openLedger } from '../../src/ledger/store/open.js';
import { type Ledger, writing } from '../../src/ledger/store/query.js';
import {
  markerUpdater,
  openExpectedLedger,
  openExpectedToRead,
  requireInPlace,
  updateMarker,
} from '../../src/upkeep/expected-ledger.js';
import { MARKER_FILE, readMarker } from '../../src/upkeep/marker.js';
import { type WorkspacePaths, workspacePaths } from '../../src/workspace/folders.js';
import { decider } from '../support/decider.js';
import { manualClock } from '../support/manual-clock.js';
import { claimNext, mustLease, stage, states } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

const WHO = decider('test');

/** Puts a backup in the ledger's place. */
async function restore(paths: WorkspacePaths, file: string): Promise<void> {
  await restoreBackup({ paths, clock: manualClock() }, file, WHO, 'the disk broke');
}

/** A workspace whose ledger has a run, a drop and a request; closed, as the program leaves it. */
async function usedWorkspace(): Promise<WorkspacePaths> {
  const paths = workspacePaths(tempFolder());
  await inLedger(paths, async (ledger) => {
    await stage(ledger, [{}, {}]);
    archive(paths, '1-a.csv');
    await claimNext(ledger, await mustLease(ledger, 'push:main'), 1);
  });
  return paths;
}

async function inLedger<T>(paths: WorkspacePaths, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openExpectedLedger(paths, manualClock());
  try {
    const done = await work(ledger);
    updateMarker(ledger, paths);
    return done;
  } finally {
    await disconnect(ledger);
  }
}

function archive(paths: WorkspacePaths, name: string): void {
  put(join(paths.archive, 'academy', name));
}

function put(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
}

const open = async (paths: WorkspacePaths) => disconnect(await openExpectedLedger(paths, manualClock()));

/** Both ways to open it refuse, with 74 and what to do, and change nothing. */
async function refused(paths: WorkspacePaths, sentence: RegExp): Promise<void> {
  const bytes = () => (existsSync(paths.ledger) ? readFileSync(paths.ledger).toString('latin1') : null);
  const before = bytes();
  for (const door of [openExpectedLedger, openExpectedToRead]) {
    await expect(async () => door(paths, manualClock())).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringMatching(sentence),
        hint: expect.stringMatching(/registrar restore FILE/),
        exit: 'io',
      }),
    );
  }
  expect(bytes() === before).toBe(true);
}

const removeMarker = (paths: WorkspacePaths) => rmSync(join(paths.root, MARKER_FILE));

describe('a missing ledger is not taken for a new one', () => {
  it('when it was deleted, moved away or emptied', async () => {
    const paths = await usedWorkspace();
    renameSync(paths.ledger, join(paths.root, 'moved.db'));
    await refused(
      paths,
      /registrar\.db is missing or empty: registrar\.marker\.json shows .* run 1, drop 1 and request 1$/,
    );
    writeFileSync(paths.ledger, '');
    await refused(paths, /registrar\.db is missing or empty: registrar\.marker\.json shows/);
    renameSync(join(paths.root, 'moved.db'), paths.ledger);
    await open(paths);
  });

  it('when its log is gone before it was written into the file', async () => {
    const paths = await usedWorkspace();
    // What SQLite has written by then: a header, and no table.
    const empty = openLedger(join(paths.root, 'new.db'), manualClock());
    closeLedger(empty);
    copyFileSync(empty.file.path, paths.ledger);
    await refused(paths, /is not this workspace's ledger/);
  });

  it.each([
    ['an imported file', (paths: WorkspacePaths) => archive(paths, '7-a.csv')],
    [
      'a file that is being imported',
      (p: WorkspacePaths) => put(join(p.processing, 'academy', '0123abcd-a.csv')),
    ],
    [
      'the report of a run',
      (p: WorkspacePaths) => put(join(p.reports, '2026-01-01T00-00-00-run-3', 'report.txt')),
    ],
  ])('where there is no marker, but %s', async (_, leave) => {
    const paths = workspacePaths(tempFolder());
    leave(paths);
    await refused(paths, /registrar\.db is missing or empty: .* shows that there was one/);
    expect(existsSync(paths.ledger)).toBe(false);
  });

  it('but a new workspace gets one, and so does one with files that were only dropped', async () => {
    const paths = workspacePaths(tempFolder());
    put(join(paths.root, 'inbox', 'academy', '12-a.csv'));
    put(join(paths.archive, 'academy', 'notes.txt'));
    expect(await openExpectedToRead(paths, manualClock())).toBeNull();
    await open(paths);
    await open(paths);
  });
});

describe('a ledger that is not the one it was', () => {
  it('is refused when an older copy was put in its place', async () => {
    const paths = await usedWorkspace();
    const copy = join(tempFolder(), 'copy.db');
    copyFileSync(paths.ledger, copy);
    await inLedger(paths, async (ledger) => beginRun(ledger, 'manual', thisProcess(), 'test'));
    copyFileSync(copy, paths.ledger);
    await refused(paths, /is older than before: it ends at run 1, .* shows run 2,/);
  });

  it('is refused when it is that of another workspace', async () => {
    const paths = await usedWorkspace();
    copyFileSync((await usedWorkspace()).ledger, paths.ledger);
    await refused(paths, /is not this workspace's ledger/);
  });

  it('is refused without a marker where archive/ goes further', async () => {
    const paths = await usedWorkspace();
    removeMarker(paths);
    archive(paths, '2-b.csv');
    await refused(paths, /older than before, or another one: .*drop 1 .*2-b\.csv was imported as drop 2/);
    rmSync(join(paths.archive, 'academy', '2-b.csv'));
    await open(paths);
    expect(existsSync(join(paths.root, MARKER_FILE))).toBe(true);
  });

  it('is refused by a process that has it open, once it is moved away or another is put there', async () => {
    const paths = await usedWorkspace();
    const ledger = await openExpectedLedger(paths, manualClock());
    requireInPlace(ledger);
    const elsewhere = join(paths.root, 'moved.db');
    renameSync(paths.ledger, elsewhere);
    expect(() => requireInPlace(ledger)).toThrow(/was moved away or deleted while/);
    copyFileSync(elsewhere, paths.ledger);
    expect(() => requireInPlace(ledger)).toThrow(/was replaced by another file while/);
    // It leaves the marker to the process whose ledger has the name.
    removeMarker(paths);
    updateMarker(ledger, paths);
    expect(existsSync(join(paths.root, MARKER_FILE))).toBe(false);
    await disconnect(ledger);
  });
});

describe('the marker of a ledger that is in use', () => {
  it('never goes further than what is committed, whatever another flow of the process is at', async () => {
    const paths = await usedWorkspace();
    const clock = manualClock();
    const ledger = await openExpectedLedger(paths, clock);
    const noted = () => readMarker(paths.root)?.run;
    const keep = markerUpdater(ledger, paths);
    await writing(ledger, async (transaction) => {
      await beginRun(transaction, 'cron', thisProcess(), 'test');
      keep();
      updateMarker(ledger, paths);
      expect(noted()).toBe(1);
    });
    clock.pass(2_000);
    keep();
    expect(noted()).toBe(2);
    await disconnect(ledger);
  });
});

describe('the remedy for a missing ledger', () => {
  it('is a backup, after which the workspace goes on, also without its marker', async () => {
    const paths = await usedWorkspace();
    const backup = join(tempFolder(), 'backup.db');
    copyFileSync(paths.ledger, backup);
    await inLedger(paths, async (ledger) => stage(ledger, [{}]));
    archive(paths, '2-b.csv');
    rmSync(paths.ledger);
    await refused(paths, /is missing/);
    await restore(paths, backup);
    await open(paths);
    removeMarker(paths);
    await open(paths);
    // Numbers are assigned again, but never one that the marker names.
    await inLedger(paths, async (ledger) => expect((await stage(ledger, [{}])).dropId).toBe(2));
    await open(paths);
  });

  it('is the older ledger itself, where there is no backup: then rows that wait are held', async () => {
    const paths = await usedWorkspace();
    const copy = readFileSync(paths.ledger);
    await inLedger(paths, async (ledger) => stage(ledger, [{}]));
    writeFileSync(paths.ledger, copy);
    await refused(paths, /older/);
    const other = join(paths.root, 'older.db');
    renameSync(paths.ledger, other);
    await restore(paths, other);
    await inLedger(paths, async (ledger) => expect(await states(ledger)).not.toContain('waiting'));
  });

  it('is a new ledger, in which nothing that was completed before is sent, nor within a full period', async () => {
    const paths = await usedWorkspace();
    archive(paths, '5-b.csv');
    rmSync(paths.ledger);
    expect(await newLedger({ paths, clock: manualClock() }, WHO)).toBeNull();
    await inLedger(paths, async (ledger) => {
      await stage(ledger, [{}]);
      expect(await states(ledger)).toEqual(['held:restored']);
      const rule = { requests: 70, perMs: 60_000, reserve: 0, pace: 'even' } as const;
      const permit = await takePermit(ledger, 'client', rule, 'push', 30_000);
      expect(permit).toEqual({ waitMs: 120_150 });
    });
    removeMarker(paths);
    await open(paths);
  });

  it('keeps a damaged ledger beside the new one, and replaces no sound one', async () => {
    const paths = await usedWorkspace();
    const make = () => newLedger({ paths, clock: manualClock() }, WHO);
    await expect(make()).rejects.toMatchObject({
      message: expect.stringContaining('is not missing'),
      exit: 'usage',
    });
    writeFileSync(paths.ledger, 'not a database '.repeat(2_000));
    const aside = await make();
    expect(aside).toMatch(/registrar-before-new-\d{8}T\d{9}Z\.db$/);
    expect(readFileSync(aside ?? '', 'utf8')).toMatch(/^not a database /);
    await open(paths);
  });
});
