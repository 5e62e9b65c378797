import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAlerts } from '../../src/actions/alerts/list-alerts.js';
import { isoFromMs } from '../../src/domain/clock.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { dropsIn } from '../../src/ledger/books/files/drop-list.js';
import { type AlertWorld, type AlertWorldSpec, alertWorld } from '../alerts/alert-world.js';
import { allDelivered, drop, imbalance, outage, refusedFiles } from '../alerts/situations.js';
import { ACCEPTED, REJECTED, UNKNOWN_LEARNER } from '../support/staged-ledger.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Causes a problem; the returned function resolves it. */
type Wrong = (world: AlertWorld) => Promise<(world: AlertWorld) => unknown>;

const KINDS: readonly (readonly [string, string, AlertWorldSpec, Wrong])[] = [
  [
    'rows need attention for a new cause',
    'cause academy bad-request',
    {},
    async ({ ledger }) => {
      await drop(ledger, 3, 1, REJECTED);
      return () => allDelivered(ledger);
    },
  ],
  [
    'too many rows of the latest drops need attention',
    'share academy',
    { alerts: { channels: [{ name: 'log', file: 'alerts.jsonl', only: ['share'] }] } },
    async ({ ledger }) => {
      await drop(ledger, 40, 3, REJECTED);
      return () => allDelivered(ledger);
    },
  ],
  [
    'a file is set aside',
    'file academy file-refused',
    {},
    ({ ledger }) => refusedFiles(ledger, 'ada-canary.csv'),
  ],
  [
    'an expected drop is missing',
    'file academy file-late',
    { source: { expect: { by: '06:00', timeZone: 'Europe/Berlin' } } },
    async ({ ledger, clock }) => {
      await drop(ledger, 1);
      clock.pass(2 * 24 * HOUR_MS);
      return () => drop(ledger, 1);
    },
  ],
  ['an environment is down', 'environment main outage', {}, ({ ledger }) => outage(ledger, 'server-error')],
  ['a credential is refused', 'environment main outage', {}, ({ ledger }) => outage(ledger, 'credentials')],
  [
    'what waits won’t end by deliverBy',
    'deadline main deadline',
    { environment: { quota: { requests: 2, per: '1h' }, deliverBy: '09:00', timeZone: 'UTC' } },
    async ({ ledger }) => {
      await drop(ledger, 10);
      return () => allDelivered(ledger);
    },
  ],
  ['the books don’t balance', 'books registrar unbalanced', {}, ({ ledger }) => imbalance(ledger)],
];

function EVERY(every: string) {
  return { expect: { every } };
}

it.each(KINDS)(
  'when %s, one notification says so, and one says that it ended',
  async (_, about, spec, wrong) => {
    const world = alertWorld(spec);
    await world.notify();
    expect(world.notifications()).toEqual([]);
    const resolve = await wrong(world);
    await world.notify();
    await world.notify();
    expect(world.notifications()).toEqual([[`opened ${about}`]]);
    await resolve(world);
    world.clock.pass(MINUTE_MS);
    await world.notify();
    await world.notify();
    expect(world.notifications()).toEqual([[`opened ${about}`], [`recovered ${about}`]]);
    const [opened, recovered] = world.messages();
    for (const message of [opened, recovered]) expect(JSON.stringify(message)).not.toMatch(/canary|Ada/);
    expect(opened?.alerts[0]).toMatchObject({ closedAt: null, remedy: expect.stringMatching(/\w/) });
    expect(recovered?.alerts[0]).toMatchObject({ remedy: '', command: null });
  },
);

it('a cause is notified once however many rows and drops have it, and again if it returns', async () => {
  const world = alertWorld();
  for (const _ of [1, 2, 3]) {
    await drop(world.ledger, 3, 2, UNKNOWN_LEARNER);
    await world.notify();
  }
  expect(world.messages().map(({ title }) => title)).toEqual([
    'academy: 2 rows need attention (learner-unknown)',
  ]);
  await allDelivered(world.ledger);
  await world.notify();
  await drop(world.ledger, 1, 1, UNKNOWN_LEARNER);
  await world.notify();
  expect(world.notifications().flat()).toEqual([
    'opened cause academy learner-unknown',
    'recovered cause academy learner-unknown',
    'opened cause academy learner-unknown',
  ]);
});

it('a state that comes and goes within recoverAfter is notified once', async () => {
  const world = alertWorld({
    alerts: { recoverAfter: '10m', channels: [{ name: 'log', file: 'alerts.jsonl' }] },
  });
  for (let minute = 0; minute < 30; minute += 5) {
    const resolve = await outage(world.ledger, 'server-error');
    await world.notify();
    world.clock.pass(4 * MINUTE_MS);
    await resolve();
    await world.notify();
    world.clock.pass(MINUTE_MS);
  }
  expect(world.notifications()).toEqual([['opened environment main outage']]);
  world.clock.pass(10 * MINUTE_MS);
  await world.notify();
  expect(world.notifications().slice(1)).toEqual([['recovered environment main outage']]);
});

it('a recovery says when the outage ended and when Registrar noticed, and the list of alerts says that it is resolved', async () => {
  const world = alertWorld({
    alerts: { recoverAfter: '5m', channels: [{ name: 'log', file: 'alerts.jsonl' }] },
  });
  await drop(world.ledger, 3, 1, ACCEPTED);
  const workedUntil = isoFromMs(world.clock.nowMs());
  world.clock.pass(MINUTE_MS);
  const since = isoFromMs(world.clock.nowMs());
  const resolve = await outage(world.ledger, 'server-error');
  await world.notify();
  world.clock.pass(MINUTE_MS);
  await world.notify();
  world.clock.pass(30_000);
  const endedAt = isoFromMs(world.clock.nowMs());
  await resolve();
  world.clock.pass(MINUTE_MS);
  await world.notify();
  const [open] = (await listAlerts(world.context, { workspace: null })).open;
  expect(open).toMatchObject({
    title: expect.stringMatching(/^Resolved: /),
    text: 'Not seen since Mon 02 Mar 08:02 UTC; closes at Mon 02 Mar 08:07 UTC unless it returns.',
    overAt: endedAt,
  });
  world.clock.pass(5 * MINUTE_MS);
  await world.notify();
  const [opened, recovered] = world.messages().map(({ alerts }) => alerts[0]);
  expect(opened?.facts).toMatchObject({
    since,
    lastGoodAt: workedUntil,
    message: expect.stringContaining('(login.example)'),
  });
  expect(recovered).toMatchObject({ overAt: endedAt, closedAt: isoFromMs(world.clock.nowMs()) });
});

it('while an environment can’t be used, no notification says that it is in time again', async () => {
  const deliverBy = { deliverBy: '09:00', timeZone: 'UTC', quota: { requests: 2, per: '1h' } };
  const world = alertWorld({ environment: deliverBy });
  await drop(world.ledger, 10);
  await world.notify();
  const resolve = await outage(world.ledger, 'server-error');
  await world.notify();
  await resolve();
  await world.notify();
  expect(world.notifications()).toEqual([
    ['opened deadline main deadline'],
    ['opened environment main outage'],
    ['recovered environment main outage'],
  ]);
});

it('a source that sends less than once a month is missed once its time is over, and not a month after its latest file', async () => {
  const world = alertWorld({ source: EVERY('90d') });
  // The ledger is older than the source's latest file.
  world.clock.pass(60 * DAY_MS);
  const latestAt = new Date(world.clock.nowMs()).toISOString();
  await drop(world.ledger, 1);
  world.clock.pass(89 * DAY_MS);
  await world.notify();
  expect(world.notifications()).toEqual([]);
  world.clock.pass(2 * DAY_MS);
  await world.notify();
  expect(world.notifications()).toEqual([['opened file academy file-late']]);
  expect(world.messages()[0]?.alerts[0]?.facts).toMatchObject({ lastGoodAt: latestAt });
});

it('the next sender sends notifications that another sender abandoned', async () => {
  const channels = [
    { name: 'slow', command: ['/bin/sh', '-c', 'test -e quick || sleep 60; cat >> alerts.jsonl'] },
  ];
  const world = alertWorld({ alerts: { channels } });
  await outage(world.ledger, 'server-error');
  const stop = new AbortController();
  const telling = world.notify(stop.signal);
  setTimeout(() => stop.abort(), 100);
  expect(await telling).toMatchObject({ channels: [] });
  writeFileSync(join(world.root, 'quick'), '');
  expect((await world.notify()).channels).toEqual([{ channel: 'slow', alerts: 1, error: null }]);
  expect(world.notifications()).toEqual([['opened environment main outage']]);
});

it('a deadline that has passed is reported as missed while rows wait, and not as met', async () => {
  const deliverBy = { deliverBy: '09:00', timeZone: 'UTC', quota: { requests: 2, per: '1h' } };
  const world = alertWorld({ environment: deliverBy });
  await drop(world.ledger, 10);
  await world.notify();
  world.clock.pass(2 * HOUR_MS);
  await world.notify();
  expect(world.notifications()).toEqual([['opened deadline main deadline']]);
  await outage(world.ledger, 'server-error');
  await world.notify();
  expect(world.notifications().slice(1)).toEqual([['opened environment main outage']]);
});

it('a channel may have kinds of its own', async () => {
  const channels = [
    { name: 'log', file: 'alerts.jsonl' },
    { name: 'books', file: 'books.jsonl', only: ['books'] },
    { name: 'causes', file: 'causes.jsonl', only: ['cause', 'books'] },
  ];
  const world = alertWorld({ alerts: { channels } });
  await drop(world.ledger, 2, 1, REJECTED);
  await outage(world.ledger, 'server-error');
  await world.notify();
  expect(['alerts', 'books', 'causes'].map((name) => world.notifications(`${name}.jsonl`))).toEqual([
    [['opened environment main outage', 'opened cause academy bad-request']],
    [],
    [['opened cause academy bad-request']],
  ]);
});

describe('a channel that fails', () => {
  const channels = [
    { name: 'gone', file: 'folder/alerts.jsonl' },
    { name: 'log', file: 'alerts.jsonl' },
  ];

  /**
   * In which of these minutes channels are tried, and which. An attempt that is due too early is made in the next of them, so that the
   * last minute before it may be made and the first one after show as much as all minutes.
   */
  async function triedIn(world: AlertWorld, minutes: readonly number[]) {
    const tried: { readonly minute: number; readonly names: readonly string[] }[] = [];
    let passed = 0;
    for (const minute of minutes) {
      world.clock.pass((minute + 1 - passed) * MINUTE_MS);
      passed = minute + 1;
      const names = (await world.notify()).channels.map(({ channel }) => channel);
      if (names.length > 0) tried.push({ minute, names });
    }
    return tried;
  }

  it('is skipped by the others until its next attempt, retried ever later, and gets all once it works', async () => {
    const world = alertWorld({ alerts: { channels, recoverAfter: '0s' } });
    await drop(world.ledger, 2, 1, REJECTED);
    expect((await world.notify()).channels).toEqual([
      { channel: 'gone', alerts: 1, error: 'failed (ENOENT)' },
      { channel: 'log', alerts: 1, error: null },
    ]);
    await world.notify();
    expect(world.notifications().slice(1)).toEqual([['opened channel gone channel-failing']]);
    const tried = await triedIn(world, [0, 1, 2, 3, 5, 6, 13, 14, 29, 30, 59]);
    expect(tried.map(({ minute }) => minute)).toEqual([0, 2, 6, 14, 30]);
    mkdirSync(join(world.root, 'folder'));
    world.clock.pass(HOUR_MS);
    await world.notify();
    expect(world.notifications('folder/alerts.jsonl')).toEqual([['opened cause academy bad-request']]);
    await world.notify();
    expect(world.notifications().slice(2)).toEqual([['recovered channel gone channel-failing']]);
    await world.notify();
    expect(world.notifications('folder/alerts.jsonl')).toHaveLength(1);
  });

  it('is retried no sooner because more is to be sent, and at least once an hour', async () => {
    const world = alertWorld({ alerts: { channels } });
    await drop(world.ledger, 2, 1, REJECTED);
    await world.notify();
    await outage(world.ledger, 'server-error');
    const minutes = [0, 1, 2, 3, 5, 6, 13, 14, 29, 30, 61, 62, 63, 121, 122, 123, 181, 182, 189];
    const tried = await triedIn(world, minutes);
    const ofGone = tried.filter(({ names }) => names.includes('gone'));
    expect(ofGone.map(({ minute }) => minute)).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
  });

  it('channels that recover at once don’t report each other', async () => {
    const all = ['a', 'b', 'c'].map((name) => ({ name, file: `folder/${name}.jsonl` }));
    const world = alertWorld({ alerts: { channels: all, recoverAfter: '5m' } });
    await outage(world.ledger, 'server-error');
    await world.notify();
    await world.notify();
    mkdirSync(join(world.root, 'folder'));
    for (let minute = 0; minute < 15; minute += 1) {
      world.clock.pass(MINUTE_MS);
      await world.notify();
    }
    const notifications = all.map(({ file }) => world.notifications(file));
    expect(notifications).toEqual(Array(3).fill([['opened environment main outage']]));
  });

  it('a new channel gets the open alerts', async () => {
    const world = alertWorld({ alerts: { channels } });
    mkdirSync(join(world.root, 'folder'));
    await outage(world.ledger, 'server-error');
    await world.notify();
    expect(world.notifications('folder/alerts.jsonl')).toEqual([['opened environment main outage']]);
  });
});

describe('only a channel with details names files and quotes the platform', () => {
  const channels = [
    { name: 'log', file: 'alerts.jsonl' },
    { name: 'inside', file: 'inside.jsonl', details: true },
  ];
  const details = (world: AlertWorld, file = 'inside.jsonl') =>
    world.messages(file).flatMap(({ alerts }) => alerts.flatMap((one) => one.details));

  it('for each alert, its own files', async () => {
    const world = alertWorld({ alerts: { channels } });
    await refusedFiles(world.ledger, 'ada-lovelace.csv');
    await drop(world.ledger, 1, 1, REJECTED);
    await drop(world.ledger, 1, 1, UNKNOWN_LEARNER);
    await outage(world.ledger, 'credentials');
    const files = (await dropsIn(world.ledger, {})).map(({ file }) => file);
    await world.notify();
    expect(details(world, 'alerts.jsonl')).toEqual([]);
    expect(details(world).sort()).toEqual(
      [
        expect.stringContaining('said by the platform (https://login.example)'),
        'Files: ada-lovelace.csv',
        ...files.filter((file) => file !== 'ada-lovelace.csv').map((file) => `Files: ${file}`),
      ].sort(),
    );
  });

  it('at most the latest five files', async () => {
    const world = alertWorld({ alerts: { channels } });
    for (let n = 1; n <= 7; n += 1) await refusedFiles(world.ledger, `file-${n}.csv`);
    await world.notify();
    expect(details(world)).toEqual(['Files: file-7.csv, file-6.csv, file-5.csv, file-4.csv, file-3.csv']);
  });
});

it('a notification of refused files has the codes of their reasons, which name no person', async () => {
  const world = alertWorld();
  await refusedFiles(world.ledger, 'ada.csv');
  await refusedFiles(world.ledger, 'lovelace.csv');
  await world.notify();
  expect(world.messages()[0]?.title).toBe(
    '2 files of source academy were refused (header-missing): none of their rows were imported',
  );
});

it('a notification postponed while the clock was far ahead is sent once it is right again', async () => {
  const channels = [{ name: 'log', file: 'no/such/folder' }];
  const world = alertWorld({ alerts: { channels } });
  const nowMs = world.clock.nowMs();
  world.clock.setWall(nowMs + 365 * DAY_MS);
  await outage(world.ledger, 'server-error');
  expect((await world.notify()).channels).toMatchObject([{ error: 'failed (ENOENT)' }]);
  mkdirSync(join(world.root, 'no/such'), { recursive: true });
  world.clock.setWall(nowMs + MINUTE_MS);
  await world.notify();
  expect(world.notifications('no/such/folder')).toEqual([['opened environment main outage']]);
});

it.each(['ada@example.com is gone', 'Ada Lovelace is unknown'])(
  'a platform code that may name a person is not sent: %s',
  async (code) => {
    const world = alertWorld();
    await drop(world.ledger, 1, 1, { ...REJECTED, code } as Outcome);
    await world.notify();
    expect(world.notifications()).toEqual([['opened cause academy platform-refused']]);
    expect(JSON.stringify(world.messages())).not.toMatch(/ada/i);
  },
);

it('a platform that gives each refusal a code of its own doesn’t cause an alert for each', async () => {
  const world = alertWorld({
    alerts: { channels: [{ name: 'log', file: 'alerts.jsonl', only: ['cause'] }] },
  });
  const { clock } = world;
  let n = 0;
  const refusal = () => {
    n += 1;
    clock.pass(60_000);
    return { ...REJECTED, code: `E-${n}` } as Outcome;
  };
  await drop(world.ledger, 110, 110, refusal);
  await world.notify();
  expect(world.notifications()[0]).toHaveLength(101);
  expect(world.messages()[0]?.alerts.at(-1)).toMatchObject({ code: 'platform-refused', facts: { rows: 10 } });
});
