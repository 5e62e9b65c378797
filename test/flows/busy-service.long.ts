import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace, until } from '../support/workspace.js';

/** From a file's last byte until its rows are staged. */
const STAGED_WITHIN_MS = 10_000;

it('while 60,000 rows are delivered, a file that is dropped is staged within ten seconds, and the daily report is written', async () => {
  const at = dayTimeIn(75_000);
  const workspace = await testWorkspace({
    sandbox: { quota: { requests: 70, perMs: 2_000 } },
    // As people have them; the tests' own source doesn't wait until a file rests.
    sources: { academy: { stableFor: '2s' } },
    schedule: [{ cron: at, timeZone: 'UTC', do: ['report'] }],
  });
  const service = workspace.start('schedule');
  workspace.drop('large.csv', csvOf(exportRows(60_000)));
  const staged = () =>
    workspace.query<{ rows: number }>("select count(*) as rows from drop_file where state = 'published'")[0]
      ?.rows ?? 0;
  await until('the large file is staged', () => staged() === 1, 120_000);
  await until('it is being delivered', () => workspace.posts() > 70, 60_000);

  const times: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    // A sender that writes under the final name, piece by piece.
    const path = join(workspace.root, 'inbox', 'academy', `small ${n}.csv`);
    mkdirSync(join(path, '..'), { recursive: true });
    const text = csvOf(exportRows(200, 200_000 + n * 1_000));
    let endedMs = 0;
    for (let from = 0; from < text.length; from += 4_000) {
      appendFileSync(path, text.slice(from, from + 4_000));
      endedMs = performance.now();
      await pause(300);
    }
    await until(`the small file ${n} is staged`, () => staged() === 1 + n, 60_000);
    times.push(Math.round(performance.now() - endedMs));
  }
  const reports = () => workspace.files('reports').filter((name) => name.endsWith('report.html'));
  const daily = () => service.stderr().includes('"msg":"report done"');
  await until('the daily report is written', daily, 150_000);

  const sent = workspace.posts();
  const beganMs = performance.now();
  await pause(10_000);
  const perTwoSeconds = ((workspace.posts() - sent) / (performance.now() - beganMs)) * 2_000;
  console.log(JSON.stringify({ stagedAfterMs: times, perTwoSeconds, waiting: workspace.states().waiting }));
  expect(workspace.states().waiting).toBeGreaterThan(50_000);
  expect(Math.max(...times)).toBeLessThan(STAGED_WITHIN_MS);
  expect(reports().length).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(143);
  expect((await workspace.books()).balanced).toBe(true);
}, 600_000);

/** The cron line of each day at the minute that begins so much later. */
function dayTimeIn(ms: number): string {
  const time = new Date(Date.now() + ms);
  return `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
}
