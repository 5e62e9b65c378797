import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { send } from '../../../src/alerts/channels/send.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/workspace.js';
import { channelOf, oneCause, sending } from '../message-of.js';

it('each message is a line of the file', async () => {
  const root = tempFolder();
  const channel = channelOf({ file: 'alerts.jsonl' });
  for (const _ of [1, 2]) expect(await send(channel, oneCause(), sending(root))).toBeNull();
  const lines = readFileSync(join(root, 'alerts.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).title)).toEqual([oneCause().title, oneCause().title]);
});

it('a folder, and a pipe without a reader, are not files', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'folder'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await send(channelOf({ file: 'folder' }), oneCause(), sending(root))).toBe('failed (EISDIR)');
  expect(await send(channelOf({ file: 'pipe' }), oneCause(), sending(root))).toBe('failed (ENXIO)');
  expect(statSync(join(root, 'pipe')).isFIFO()).toBe(true);
});

it('a command gets its arguments as is, the message on stdin, and no secret of the environment', async () => {
  const root = tempFolder();
  const program = script(root, '#!/bin/sh\ncat > got.json\nprintf "%s\\n" "$@" > words.txt\nenv > env.txt\n');
  process.env.REGISTRAR_TEST_SECRET = 'hidden';
  const channel = channelOf({ command: [program, '$(touch hurt)', "it's; touch hurt"] });
  expect(await send(channel, oneCause(), sending(root))).toBeNull();
  delete process.env.REGISTRAR_TEST_SECRET;
  expect(JSON.parse(readFileSync(join(root, 'got.json'), 'utf8'))).toMatchObject({ title: oneCause().title });
  expect(readFileSync(join(root, 'words.txt'), 'utf8')).toBe("$(touch hurt)\nit's; touch hurt\n");
  expect(existsSync(join(root, 'hurt'))).toBe(false);
  expect(readFileSync(join(root, 'env.txt'), 'utf8')).not.toContain('hidden');
});

it('a command that reads no input counts as sent; one that fails or is missing doesn’t', async () => {
  const root = tempFolder();
  const run = (command: readonly string[]) => send(channelOf({ command }), oneCause(), sending(root));
  expect(await run(['/bin/true'])).toBeNull();
  expect(await run([script(root, '#!/bin/sh\necho ada@example.com >&2\nexit 3\n')])).toBe('ended with 3');
  expect(await run(['./nothing'])).toBe('could not be started (ENOENT)');
});

it('a command that runs too long is killed with everything it started', async () => {
  const root = tempFolder();
  const program = script(root, '#!/bin/sh\n(sleep 1; touch late) &\necho $! > child.pid\nsleep 60\n');
  const channel = channelOf({ command: [program], timeLimit: '300ms' });
  expect(await send(channel, oneCause(), sending(root))).toBe('took longer than 0.3 s');
  const child = Number(readFileSync(join(root, 'child.pid'), 'utf8'));
  await until('the child is gone', () => !isRunning(child));
  expect(existsSync(join(root, 'late'))).toBe(false);
});

it('a notification is cancelled by its signal', async () => {
  const root = tempFolder();
  const stop = new AbortController();
  const sent = send(channelOf({ command: ['/bin/sleep', '60'] }), oneCause(), sending(root, stop.signal));
  stop.abort();
  expect(await sent).toBe('was cancelled');
});

function script(root: string, text: string): string {
  const path = join(root, 'send.sh');
  writeFileSync(path, text);
  chmodSync(path, 0o700);
  return path;
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
