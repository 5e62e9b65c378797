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
import { newLedger } from '../../src/actions/new-ledger.js';
import { carryOut, plan } from '../../src/actions/restore.js';
import { closeLedger, openLedger, requireInPlace } from '../../src/ledger/open.js';
import { thisProcess } from '../../src/ledger/owner.js';
import type { Ledger } from '../../src/ledger/query.js';
import { takeSlot } from '../../src/ledger/quota.js';
import { beginRun } from '../../src/ledger/runs.js';
import { keepMarker, openExpectedLedger, openExpectedToRead } from '../../src/upkeep/expected-ledger.js';
import { type WorkspacePaths, workspacePaths } from '../../src/workspace/folders.js';
import { MARKER_FILE } from '../../src/workspace/marker.js';
import { decider } from '../support/decider.js';
import { manualClock } from '../support/manual-clock.js';
import { claimNext, mustLease, stage, states } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

const WHO = decider('test');

/** Puts a backup in the ledger's place. */
async function restore(paths: WorkspacePaths, file: string): Promise<void> {
  const place = { paths, clock: manualClock() };
  await carryOut(place, await plan(place, { file }), WHO, 'the disk broke');
}

/** A workspace whose ledger has a run, a drop and a request; closed, as the program leaves it. */
function usedWorkspace(): WorkspacePaths {
  const paths = workspacePaths(tempFolder());
  inLedger(paths, (ledger) => {
    stage(ledger, [{}, {}]);
    archive(paths, '1-a.csv');
    claimNext(ledger, mustLease(ledger, 'push:main'), 1);
  });
  return paths;
}

function inLedger<T>(paths: WorkspacePaths, work: (ledger: Ledger) => T): T {
  const ledger = openExpectedLedger(paths, manualClock());
  try {
    const done = work(ledger);
    keepMarker(ledger, paths);
    return done;
  } finally {
    closeLedger(ledger);
  }
}

function archive(paths: WorkspacePaths, name: string): void {
  put(join(paths.archive, 'academy', name));
}

function put(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
}

const open = (paths: WorkspacePaths) => closeLedger(openExpectedLedger(paths, manualClock()));

/** Both doors refuse it, with 74 and what to do, and change nothing. */
function refused(paths: WorkspacePaths, sentence: RegExp): void {
  const bytes = () => (existsSync(paths.ledger) ? readFileSync(paths.ledger).toString('latin1') : null);
  const before = bytes();
  for (const door of [openExpectedLedger, openExpectedToRead]) {
    expect(() => door(paths, manualClock())).toThrow(
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

describe('a ledger that is gone is no new ledger', () => {
  it('when it was deleted, moved away or emptied', () => {
    const paths = usedWorkspace();
    renameSync(paths.ledger, join(paths.root, 'moved.db'));
    refused(paths, /registrar\.db is missing: registrar\.marker\.json shows .* run 1, drop 1 and request 1$/);
    writeFileSync(paths.ledger, '');
    refused(paths, /registrar\.db is empty: registrar\.marker\.json shows/);
    renameSync(join(paths.root, 'moved.db'), paths.ledger);
    open(paths);
  });

  it('when its log is gone before anything of it was written into the file', () => {
    const paths = usedWorkspace();
    // What SQLite has written by then: a header, and no table.
    const empty = openLedger(join(paths.root, 'new.db'), manualClock());
    empty.sqlite.pragma('wal_checkpoint(truncate)');
    copyFileSync(empty.path, paths.ledger);
    closeLedger(empty);
    refused(paths, /is not this workspace's ledger/);
  });

  it.each([
    ['a file that was taken in', (paths: WorkspacePaths) => archive(paths, '7-a.csv')],
    [
      'a file that is being taken in',
      (p: WorkspacePaths) => put(join(p.processing, 'academy', '0123abcd-a.csv')),
    ],
    [
      'the report of a run',
      (p: WorkspacePaths) => put(join(p.reports, '2026-01-01T00-00-00-run-3', 'report.txt')),
    ],
    ['the log of a ledger', (paths: WorkspacePaths) => put(`${paths.ledger}-wal`)],
  ])('where there is no marker, but %s', (_, leave) => {
    const paths = workspacePaths(tempFolder());
    leave(paths);
    refused(paths, /registrar\.db is missing: .* shows that there was one/);
    expect(existsSync(paths.ledger)).toBe(false);
  });

  it('but a new workspace gets one, and so does one with files that were only dropped', () => {
    const paths = workspacePaths(tempFolder());
    put(join(paths.root, 'inbox', 'academy', '12-a.csv'));
    put(join(paths.archive, 'academy', 'notes.txt'));
    expect(openExpectedToRead(paths, manualClock())).toBeNull();
    open(paths);
    open(paths);
  });
});

describe('a ledger that is not the one it was', () => {
  it('is refused when an older copy was put in its place', () => {
    const paths = usedWorkspace();
    const copy = join(tempFolder(), 'copy.db');
    copyFileSync(paths.ledger, copy);
    inLedger(paths, (ledger) => beginRun(ledger, 'manual', thisProcess(), 'test'));
    copyFileSync(copy, paths.ledger);
    refused(paths, /is older than it was: it goes as far as run 1, .* tells of run 2, .* its log/);
  });

  it('is refused when it is that of another workspace', () => {
    const paths = usedWorkspace();
    copyFileSync(usedWorkspace().ledger, paths.ledger);
    refused(paths, /is not this workspace's ledger/);
  });

  it('is refused without a marker where archive/ goes further', () => {
    const paths = usedWorkspace();
    removeMarker(paths);
    archive(paths, '2-b.csv');
    refused(paths, /older than it was, or another one: .*drop 1 .*2-b\.csv was taken in as drop 2/);
    rmSync(join(paths.archive, 'academy', '2-b.csv'));
    open(paths);
    expect(existsSync(join(paths.root, MARKER_FILE))).toBe(true);
  });

  it('is refused by a process that has it open, once it is moved away or another is put there', () => {
    const paths = usedWorkspace();
    const ledger = openExpectedLedger(paths, manualClock());
    requireInPlace(ledger);
    const elsewhere = join(paths.root, 'moved.db');
    renameSync(paths.ledger, elsewhere);
    expect(() => requireInPlace(ledger)).toThrow(/was moved away or deleted while/);
    copyFileSync(elsewhere, paths.ledger);
    expect(() => requireInPlace(ledger)).toThrow(/was replaced by another file while/);
    // It leaves the marker to whoever has the ledger's name.
    removeMarker(paths);
    keepMarker(ledger, paths);
    expect(existsSync(join(paths.root, MARKER_FILE))).toBe(false);
    closeLedger(ledger);
  });
});

describe('what puts it right', () => {
  it('is a backup, after which the workspace goes on, also without its marker', async () => {
    const paths = usedWorkspace();
    const backup = join(tempFolder(), 'backup.db');
    copyFileSync(paths.ledger, backup);
    inLedger(paths, (ledger) => stage(ledger, [{}]));
    archive(paths, '2-b.csv');
    rmSync(paths.ledger);
    refused(paths, /is missing/);
    await restore(paths, backup);
    open(paths);
    removeMarker(paths);
    open(paths);
    // Numbers are given anew, and never again one that the marker tells of.
    inLedger(paths, (ledger) => expect(stage(ledger, [{}]).dropId).toBe(2));
    open(paths);
  });

  it('is the older ledger itself, where nobody has a backup: then what waits is held', async () => {
    const paths = usedWorkspace();
    const copy = readFileSync(paths.ledger);
    inLedger(paths, (ledger) => stage(ledger, [{}]));
    writeFileSync(paths.ledger, copy);
    refused(paths, /older/);
    const other = join(paths.root, 'older.db');
    renameSync(paths.ledger, other);
    await restore(paths, other);
    inLedger(paths, (ledger) => expect(states(ledger)).not.toContain('waiting'));
  });

  it('is a new ledger, in which nothing that was completed before is sent, nor within a full period', async () => {
    const paths = usedWorkspace();
    archive(paths, '5-b.csv');
    rmSync(paths.ledger);
    expect(await newLedger({ paths, clock: manualClock() }, WHO)).toBeNull();
    inLedger(paths, (ledger) => {
      stage(ledger, [{}]);
      expect(states(ledger)).toEqual(['held:restored']);
      const rule = { requests: 70, perMs: 60_000, reserve: 0, pace: 'even' } as const;
      const asked = takeSlot(ledger, 'client', rule, 'push', 30_000);
      expect(asked).toEqual({ waitMs: 90_150 });
    });
    removeMarker(paths);
    open(paths);
  });

  it('keeps a damaged ledger beside the new one, and makes none in the place of a sound one', async () => {
    const paths = usedWorkspace();
    const make = () => newLedger({ paths, clock: manualClock() }, WHO);
    await expect(make()).rejects.toMatchObject({
      message: expect.stringContaining('is not missing'),
      exit: 'usage',
    });
    writeFileSync(paths.ledger, 'not a database '.repeat(2_000));
    const aside = await make();
    expect(aside).toMatch(/registrar-before-new-\d{8}T\d{9}Z\.db$/);
    expect(readFileSync(aside ?? '', 'utf8')).toMatch(/^not a database /);
    open(paths);
  });
});
