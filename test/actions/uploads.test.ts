import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { receiveDrop } from '../../src/actions/uploads.js';
import { actionContext } from '../support/action-context.js';
import { decider } from '../support/decider.js';
import { OTHER_FILE_SYSTEM } from '../support/other-file-system.js';
import { testLedger } from '../support/staged-ledger.js';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const NEVER = new AbortController().signal;
const sent = (name: string, chunks = bytesOf('a,b\n')) => ({
  chunks,
  source: 'academy',
  name,
  signal: NEVER,
});

const ANNA = decider('anna');

function opened() {
  const context = actionContext(testLedger());
  const inbox = join(context.paths.root, 'inbox', 'academy');
  mkdirSync(inbox, { recursive: true });
  return { context, inbox };
}

it('a program’s file is in the inbox whole, under its name or one with a number, and nowhere else', async () => {
  const { context, inbox } = opened();
  expect(await receiveDrop(context, sent('a.csv'), ANNA)).toEqual({
    name: 'a.csv',
    bytes: 4,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await receiveDrop(context, sent('a.csv', bytesOf('other')), ANNA)).name).toBe('a (2).csv');
  expect(readFileSync(join(inbox, 'a.csv'), 'utf8')).toBe('a,b\n');
  expect(readdirSync(inbox).sort()).toEqual(['a (2).csv', 'a.csv']);
});

it('an inbox of another file system gets the file as well', { tags: ['other-file-system'] }, async () => {
  const { context } = opened();
  const inbox = mkdtempSync(join(OTHER_FILE_SYSTEM ?? '', 'inbox-'));
  onTestFinished(() => rmSync(inbox, { recursive: true, force: true }));
  const elsewhere = { ...context, paths: { ...context.paths, inbox: () => inbox } };
  expect((await receiveDrop(elsewhere, sent('a.csv'), ANNA)).name).toBe('a.csv');
  expect((await receiveDrop(elsewhere, sent('a.csv'), ANNA)).name).toBe('a (2).csv');
  expect(readdirSync(inbox).sort()).toEqual(['a (2).csv', 'a.csv']);
});

it('a name that no run would import is refused before a byte is read', async () => {
  const { context } = opened();
  const unread = bytesOf('a,b\n');
  await expect(receiveDrop(context, sent('../a.csv', unread), ANNA)).rejects.toThrow(/slash/);
  await expect(receiveDrop(context, { ...sent('a.csv', unread), source: 'nobody' }, ANNA)).rejects.toThrow(
    /nobody/,
  );
  expect((await unread.next()).done).toBe(false);
});

it('a stream that breaks off, and an inbox that is gone, leave nothing', async () => {
  const { context, inbox } = opened();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a,b\n');
    throw new Error('broken off');
  }
  await expect(receiveDrop(context, sent('a.csv', broken()), ANNA)).rejects.toThrow('broken off');
  expect(readdirSync(inbox)).toEqual([]);
  rmSync(inbox, { recursive: true });
  await expect(receiveDrop(context, sent('a.csv'), ANNA)).rejects.toThrow(
    /could not put a file into the inbox/,
  );
});

it('an upload into an inbox that can’t be written fails with a message', async () => {
  const { context, inbox } = opened();
  rmSync(inbox, { recursive: true });
  writeFileSync(inbox, 'a file in the way');
  await expect(receiveDrop(context, sent('a.csv'), ANNA)).rejects.toThrow(/could not/);
});
