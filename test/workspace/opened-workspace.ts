import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ClaimedDrop, claimDrop } from '../../src/workspace/claimed/claim-drop.js';
import { openWorkspace, type WorkspacePaths } from '../../src/workspace/folders.js';
import { type InboxFile, listInbox } from '../../src/workspace/inbox/list-inbox.js';
import { IS_ROOT, NOBODY } from '../support/users.js';

export const ACADEMY = { name: 'academy', inbox: undefined, match: '*.{csv,xlsx}' };

/** A folder that is gone after the test. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'registrar-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty workspace with the source academy; its inbox is elsewhere when one is named. */
export async function openedWorkspace(inbox?: string): Promise<WorkspacePaths> {
  const source = { ...ACADEMY, inbox };
  return openWorkspace(temporaryFolder(), { sources: [source] as never });
}

/** Puts a file into the inbox, and returns what listing the inbox then says about it. */
export async function dropped(
  paths: WorkspacePaths,
  name: string,
  content = 'a,b\n',
  inbox?: string,
): Promise<InboxFile> {
  const source = { ...ACADEMY, inbox, match: '*' };
  mkdirSync(paths.inbox(source), { recursive: true });
  writeFileSync(join(paths.inbox(source), name), content);
  const file = (await listInbox(source, paths)).find((found) => found.name === name);
  if (file === undefined) throw new Error(`the inbox does not take ${name}`);
  return file;
}

/** Claims a file; fails the test where that isn't possible. */
export async function mustClaim(file: InboxFile, paths: WorkspacePaths): Promise<ClaimedDrop> {
  const claimed = await claimDrop(file, paths);
  if (claimed === null || 'reason' in claimed) {
    throw new Error(`${file.name} was not claimed: ${JSON.stringify(claimed)}`);
  }
  return claimed;
}

/** Sets when a file was last written, in milliseconds since 1970. */
export function touch(path: string, mtimeMs: number): void {
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

/** Runs as a user without rights where the tests run as root, for whom no file is unreadable. */
export async function withoutRights<T>(act: () => Promise<T>): Promise<T> {
  if (!IS_ROOT) return act();
  process.seteuid?.(NOBODY);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
