import { readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WorkspacePaths } from '../../../src/workspace/folders.js';
import { listInbox } from '../../../src/workspace/inbox/list-inbox.js';
import { pairControls } from '../../../src/workspace/inbox/pair-controls.js';
import { claimDrop, listClaimed } from '../../../src/workspace/taken/claim-drop.js';
import {
  archiveWithControl,
  rejectWithControl,
  returnControls,
} from '../../../src/workspace/taken/control-files.js';
import { ACADEMY, dropped, mustClaim, openedWorkspace } from '../opened-workspace.js';

const DAY_MS = 86_400_000;

const CONTROLLED = {
  ...ACADEMY,
  control: { file: '{name}.done', waitMs: DAY_MS, whenDifferent: 'refuse' },
} as const;

describe('a drop of a source with control files', () => {
  test('waits for its own, and that one is no drop although the source takes its kind', async () => {
    const paths = await openedWorkspace();
    await dropped(paths, 'a.csv');
    await dropped(paths, 'b.csv');
    await dropped(paths, 'A.CSV.DONE', '1');
    const { take, left } = await listInbox({ ...CONTROLLED, match: '*' }, paths);
    expect(left).toEqual([]);
    const nowMs = (take[0]?.ctimeMs ?? 0) + 1000;
    const { ready, waiting } = pairControls(take, CONTROLLED.control, nowMs);
    expect(ready.map(({ file, control }) => [file.name, control?.name])).toEqual([['a.csv', 'A.CSV.DONE']]);
    expect(waiting).toMatchObject([
      { name: 'b.csv', reason: expect.stringMatching(/^waits for its control file b\.csv\.done, until 2/) },
    ]);
  });

  test('waits no longer than the source says', async () => {
    const paths = await openedWorkspace();
    const file = await dropped(paths, 'a.csv');
    const touchedMs = Math.max(file.mtimeMs, file.ctimeMs);
    expect(pairControls([file], CONTROLLED.control, touchedMs + DAY_MS - 1).ready).toEqual([]);
    expect(pairControls([file], CONTROLLED.control, touchedMs + DAY_MS).ready).toEqual([
      { file, control: null },
    ]);
  });

  test('does not wait where the source has none', async () => {
    const file = await dropped(await openedWorkspace(), 'a.csv');
    expect(pairControls([file], undefined, 0).ready).toEqual([{ file, control: null }]);
  });
});

describe('a control file', () => {
  test('is claimed, found again and archived with its drop', async () => {
    const paths = await openedWorkspace();
    await claim(paths);
    const [drop] = await listClaimed(ACADEMY, paths);
    expect(readFileSync(drop?.control ?? '', 'utf8')).toBe('7');
    if (drop) await archiveWithControl(drop, paths, 3);
    expect(filesOf(paths)).toEqual(['archive/3-a.csv', 'archive/3-a.csv.done']);
  });

  test('is claimed once: another drop that it could belong to stays in the inbox', async () => {
    const paths = await openedWorkspace();
    const control = await dropped(paths, 'a.ok', '7');
    const [first, second] = [await dropped(paths, 'a.csv'), await dropped(paths, 'a.xlsx')];
    expect(await claimDrop(first, paths, control)).toMatchObject({ name: 'a.csv' });
    expect(await claimDrop(second, paths, control)).toBeNull();
    expect(readdirSync(paths.inbox(ACADEMY))).toEqual(['a.xlsx']);
  });

  test('is set aside with its drop', async () => {
    const paths = await openedWorkspace();
    await rejectWithControl(await claim(paths), paths, 'It is damaged.');
    expect(filesOf(paths)).toEqual([
      'rejected/a.csv',
      'rejected/a.csv.done',
      'rejected/a.csv.done.reason.txt',
      'rejected/a.csv.reason.txt',
    ]);
  });

  test('whose drop was not claimed any more goes back into the inbox', async () => {
    const paths = await openedWorkspace();
    await claimControlAlone(paths);
    await returnControls(ACADEMY, paths);
    expect(filesOf(paths)).toEqual(['inbox/a.csv', 'inbox/a.csv.done']);
  });

  test('that a newer one has replaced meanwhile is set aside, and the newer one stays', async () => {
    const paths = await openedWorkspace();
    await claimControlAlone(paths);
    await dropped(paths, 'a.csv.done', '8');
    await returnControls(ACADEMY, paths);
    expect(filesOf(paths)).toEqual([
      'inbox/a.csv',
      'inbox/a.csv.done',
      'rejected/a.csv.done',
      'rejected/a.csv.done.reason.txt',
    ]);
    expect(readFileSync(join(paths.inbox(ACADEMY), 'a.csv.done'), 'utf8')).toBe('8');
  });
});

async function claim(paths: WorkspacePaths) {
  const file = await dropped(paths, 'a.csv');
  return mustClaim(file, paths, await dropped(paths, 'a.csv.done', '7'));
}

/** As a crash leaves it between the two. */
async function claimControlAlone(paths: WorkspacePaths): Promise<void> {
  const control = await dropped(paths, 'a.csv.done', '7');
  const gone = await dropped(paths, 'gone.csv');
  await claimDrop({ ...gone, path: `${gone.path} that is not there` }, paths, control);
  await dropped(paths, 'a.csv');
  unlinkSync(gone.path);
}

function filesOf(paths: WorkspacePaths): string[] {
  const folders = { inbox: paths.inbox(ACADEMY), ...foldersOf(paths) };
  return Object.entries(folders).flatMap(([name, folder]) =>
    filesIn(folder).map((file) => `${name}/${file}`),
  );
}

function foldersOf(paths: WorkspacePaths) {
  return {
    processing: join(paths.processing, 'academy'),
    archive: join(paths.archive, 'academy'),
    rejected: join(paths.rejected, 'academy'),
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
