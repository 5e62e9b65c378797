import { expect, it } from 'vitest';
import { configSchema } from '../../../../src/config/schema.js';
import { jobName } from '../../../../src/config/values/job-name.js';
import { isoFromMs } from '../../../../src/domain/clock.js';
import { recordInbox } from '../../../../src/ledger/drops/record-inbox.js';
import { registerJobs, withSlot } from '../../../../src/ledger/leases/jobs.js';
import { thisProcess } from '../../../../src/ledger/leases/owner.js';
import { signOn } from '../../../../src/ledger/leases/services.js';
import { actionContext } from '../../../support/action-context.js';
import { manualClock } from '../../../support/manual-clock.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { mustLease, testLedger } from '../../../support/staged-ledger.js';

const schedule = configSchema.shape.schedule.parse([
  { cron: '0 6 * * *', timeZone: 'UTC', do: ['run'] },
  { cron: '0 4 1 * *', timeZone: 'UTC', do: ['backup'], folder: 'copies' },
]);

async function opened() {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const context = actionContext(ledger, { schedule });
  const show = async () => {
    const { as } = await peopledConsole(context);
    return read(await (await as('viewer')).get('/schedule'));
  };
  return { clock, ledger, context, show };
}

it('each line of the schedule has its next time, and how its last one ended', async () => {
  const { clock, ledger, show } = await opened();
  const job = jobName(schedule[0] as (typeof schedule)[number]);
  await registerJobs(ledger, [job]);
  clock.pass(3 * 86_400_000);
  const now = clock.nowMs();
  const slot = { job, slotAt: isoFromMs(now - 60_000), sinceAt: isoFromMs(now - 200_000_000), missed: 2 };
  await withSlot(ledger, slot, thisProcess(), async () => ({ result: null, ending: 'failed' }));
  await signOn(ledger, thisProcess());
  clock.pass(5_000);
  const { text, markup } = await show();
  expect(text).toContain('failed makes up for 2 missed times');
  expect(text).toMatch(/Process \d+ on \S+, started .*: running/);
  expect([...markup.matchAll(/datetime="[^"]+T06:00:00\.000Z"/g)]).toHaveLength(1);
  expect(text).toContain('not due yet');
});

it('shows which process is at work, and says if no service has ever run', async () => {
  const { ledger, show } = await opened();
  const idle = (await show()).text;
  expect(idle).toContain('No service has run yet.');
  expect(idle).toContain('No process is importing or delivering right now.');
  await mustLease(ledger, 'push:main');
  expect((await show()).text).toContain(`delivers to main, process ${process.pid}`);
});

it('a paused line shows why', async () => {
  const paused = schedule.map((line) => ({ ...line, paused: 'an audit' }));
  const { as } = await peopledConsole(actionContext(testLedger(), { schedule: paused }));
  expect((await read(await (await as('viewer')).get('/schedule'))).text).toContain('paused an audit');
});

it('an empty schedule says where its lines are configured', async () => {
  const { as } = await peopledConsole(actionContext(testLedger()));
  expect((await read(await (await as('viewer')).get('/schedule'))).text).toContain('No schedule yet.');
});

it('a remote inbox shows the latest check, what waits there, and since when it can’t be used', async () => {
  const ledger = testLedger();
  const sources = configSchema.shape.sources.parse([
    {
      ...{ name: 'campus', operation: 'submit-completion', environment: 'main' },
      inbox: { s3: { bucket: 'exports', region: 'eu-central-1', prefix: 'out/' } },
    },
  ]);
  const { as } = await peopledConsole(actionContext(ledger, { sources }));
  const show = async () => (await read(await (await as('viewer')).get('/schedule'))).text;
  expect(await show()).toContain('campus s3://exports/out never never 0 none');
  await recordInbox(ledger, 'campus', {
    ...{ kind: 'polled', isAway: false, waiting: 3, oldestAt: '2024-02-29T10:00:00.000Z' },
  });
  expect(await show()).toMatch(/never 3 2024-02-29 10:00 UTC/);
  await recordInbox(ledger, 'campus', { kind: 'polled', isAway: true, message: 'gone', remedy: 'wait' });
  expect(await show()).toMatch(/UTC can’t be used since .* UTC never 3 2024/);
});
