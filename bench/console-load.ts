import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../src/sandbox/server.js';
import { largeWorkspace } from './large-ledger.js';
import { median, option } from './measure.js';
import { PAGES, type Read, readPage, servedConsole, until } from './served-console.js';

/**
 * Whether readers of the console delay the delivery: one service delivers from a large ledger by an even pace and serves the console; its
 * requests are counted without readers, with many, and again without. `npm run bench:console-load -- 1000000`
 * chooses the rows, `--seconds 60` the length of each part, `--per 60` in how many seconds 70 requests are allowed, `--readers 20` how
 * many read at a time; `--keep FOLDER` builds the workspace there and leaves it, or uses the one that is there.
 */
const args = process.argv.slice(2);
const rows = args.map(Number).find((size) => size > 1_000) ?? 1_000_000;
const seconds = option('--seconds', 60);
const readers = option('--readers', 20);
const keep = args.includes('--keep') ? args[args.indexOf('--keep') + 1] : undefined;
const folder = keep ?? mkdtempSync(join(tmpdir(), 'registrar-bench-'));

/** By default, requests so close to each other that a delay of a few milliseconds shows. */
const QUOTA = { requests: 70, perMs: option('--per', 2) * 1_000 };

try {
  const workspace = await largeWorkspace(folder, rows);
  const sandbox = await startSandbox({ quota: QUOTA });
  writeFileSync(join(workspace, 'registrar.yaml'), settings(sandbox.url));
  const service = await servedConsole(workspace);
  const answers = () => sandbox.platform.received.length;
  try {
    // The delivery has begun, and its first burst of checks is over.
    await until(() => answers() > 2 * QUOTA.requests, 2 * QUOTA.perMs);
    const before = await counted(answers);
    const read = await whileRead(service.url, () => counted(answers));
    const after = await counted(answers);
    const alone = (before + after) / 2;
    const refused = sandbox.platform.received.filter(({ status }) => status === 429).length;
    console.log(
      `\nA ledger of ${rows.toLocaleString('en')} rows, ${QUOTA.requests} requests allowed in ${QUOTA.perMs / 1_000} s, ${seconds} s each`,
    );
    console.log(
      `requests a second: ${before.toFixed(2)} and ${after.toFixed(2)} unread, ${read.rate.toFixed(2)} read by ${readers} at a time`,
    );
    console.log(
      `ratio ${(read.rate / alone).toFixed(4)}, of the quota ${(read.rate / (QUOTA.requests / (QUOTA.perMs / 1_000))).toFixed(4)}, answers 429: ${refused}`,
    );
    console.log(
      `pages read: ${read.reads.length}, not 200: ${read.reads.filter(({ status }) => status !== 200).length}`,
    );
    for (const path of PAGES) {
      const times = read.reads.filter((one) => one.path === path);
      const firstByte = median(times.map(({ firstByteMs }) => firstByteMs)).toFixed(0);
      const whole = median(times.map(({ wholeMs }) => wholeMs)).toFixed(0);
      console.log(
        `${path.padEnd(40)} ${String(times.length).padStart(6)} times  median ${firstByte} ms to the first byte, ${whole} ms in all`,
      );
    }
  } finally {
    await service.close();
    await sandbox.close();
  }
} finally {
  if (keep === undefined) rmSync(folder, { recursive: true, force: true });
}

function settings(url: string): string {
  return `environments:
  main:
    baseUrl: ${url}
    authUrl: ${url}
    clientId: sandbox-client
    clientSecret: "\${BENCH_SECRET}"
    quota: { requests: ${QUOTA.requests}, per: ${QUOTA.perMs}ms }
sources:
  - { name: bench, operation: submit-completion, environment: main, stableFor: 0s, timeZone: Europe/Berlin }
`;
}

/** How many requests a second came during a part. */
async function counted(answers: () => number): Promise<number> {
  const [began, had] = [performance.now(), answers()];
  await pause(seconds * 1_000);
  return ((answers() - had) / (performance.now() - began)) * 1_000;
}

async function whileRead(
  url: string,
  measure: () => Promise<number>,
): Promise<{ rate: number; reads: Read[] }> {
  const reads: Read[] = [];
  let isOver = false;
  const reading = Array.from({ length: readers }, async (_, index) => {
    for (let turn = index; !isOver; turn += 1) {
      const path = PAGES[turn % PAGES.length] as string;
      reads.push(await readPage(path, url));
    }
  });
  const rate = await measure();
  isOver = true;
  await Promise.all(reading);
  return { rate, reads };
}
