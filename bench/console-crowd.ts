import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeWorkspace } from './large-ledger.js';
import { option } from './measure.js';
import { PAGES, readPage, servedConsole } from './served-console.js';

/**
 * What a crowd of readers does to the console: rounds of requests at once, over all pages; after each, how they were answered, the
 * memory of the process and what it holds open. Memory that grows from round to round without an end would be a leak.
 * `npm run bench:console-crowd -- 10000` chooses the rows, `--requests 500` how many at once, `--rounds 20` how often; `--keep FOLDER`
 * builds the workspace there and leaves it, or uses the one that is there.
 */
const args = process.argv.slice(2);
const requests = option('--requests', 500);
const rounds = option('--rounds', 20);
const keep = args.includes('--keep') ? args[args.indexOf('--keep') + 1] : undefined;
const rows = args.map(Number).find((size) => size >= 1_000) ?? 10_000;
const folder = keep ?? mkdtempSync(join(tmpdir(), 'registrar-bench-'));

try {
  const service = await servedConsole(await largeWorkspace(folder, rows));
  try {
    const round = async () => {
      const began = performance.now();
      const paths = Array.from({ length: requests }, (_, index) => PAGES[index % PAGES.length] as string);
      const answers = await Promise.allSettled(paths.map((path) => readPage(path, service.url)));
      return { answers: answers.map(outcomeOf), ms: performance.now() - began };
    };
    console.log(
      `a ledger of ${rows.toLocaleString('en')} rows, ${requests} requests at once over ${PAGES.length} pages`,
    );
    console.log(`before: ${factsOf(service.pid)}`);
    for (let number = 1; number <= rounds; number += 1) {
      const { answers, ms } = await round();
      const counts = [...new Set(answers)]
        .map((kind) => `${answers.filter((answer) => answer === kind).length} ${kind}`)
        .join(', ');
      console.log(`round ${number}: ${counts} in ${(ms / 1_000).toFixed(1)} s; ${factsOf(service.pid)}`);
    }
  } finally {
    await service.close();
  }
} finally {
  if (keep === undefined) rmSync(folder, { recursive: true, force: true });
}

/** The status, or why there is none. */
function outcomeOf(answer: PromiseSettledResult<{ readonly status: number }>): string {
  if (answer.status === 'fulfilled') return `answered ${answer.value.status}`;
  const { cause, message } = answer.reason as Error;
  return `broke off (${cause instanceof Error ? cause.message : message})`;
}

/** Memory and open files of a process, as Linux reports them. */
function factsOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return `${(kilobytes / 1_024).toFixed(0)} MB, ${readdirSync(`/proc/${pid}/fd`).length} open`;
}
