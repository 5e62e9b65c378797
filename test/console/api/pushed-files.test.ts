import { mkdirSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { type Clock, systemClock } from '../../../src/domain/clock.js';
import { actionContext } from '../../support/action-context.js';
import { testConsole } from '../../support/console.js';
import { decider } from '../../support/decider.js';
import { manualClock } from '../../support/manual-clock.js';
import { testLedger } from '../../support/staged-ledger.js';
import { until } from '../../support/workspace.js';

async function pushing(clock: Clock = systemClock()) {
  const ledger = testLedger(clock);
  const { console: settings } = actionContext(ledger).config;
  const context = actionContext(ledger, { console: { ...settings, largestUploadBytes: 1_000 } });
  mkdirSync(join(context.paths.root, 'inbox', 'academy'), { recursive: true });
  const { url, failures } = await testConsole(() => context);
  const { secret } = await addToken(context, { name: 'lms', role: 'operator' }, decider('ada'));
  const address = new URL('/api/v1/drops?source=academy&name=a.csv', url);
  const headers = { authorization: `Bearer ${secret}` };
  const kept = () =>
    readdirSync(context.paths.root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.tmp$|a\.csv/.test(path),
    );
  return { address, headers, failures, kept };
}

it('an oversized file is refused, with or without a stated size, and nothing of it is kept', async () => {
  const { address, headers, kept, failures } = await pushing();
  const sent = (more: Readonly<Record<string, string>>) =>
    new Promise((resolve, reject) => {
      const sending = request(address, { method: 'POST', headers: { ...headers, ...more } }, (answer) => {
        answer.resume();
        resolve([answer.statusCode, answer.headers.connection]);
        sending.destroy();
      });
      sending.on('error', reject);
      sending.write('x'.repeat(600));
      sending.write('x'.repeat(600));
    });
  expect(await sent({ 'content-length': '1001' })).toEqual([413, 'close']);
  expect(await sent({})).toEqual([413, 'close']);
  expect([kept(), failures]).toEqual([[], []]);
});

it('a file that breaks off leaves nothing behind', async () => {
  const { address, headers, kept, failures } = await pushing();
  const sending = request(address, { method: 'POST', headers });
  sending.on('error', () => {});
  sending.write('Email,Course ID\n');
  await until('the file has begun to come', () => kept().some((path) => path.endsWith('.tmp')));
  sending.destroy();
  await until('nothing is left of it', () => kept().length === 0);
  expect(failures).toEqual([]);
});

it('a file that arrives too slowly is cancelled', async () => {
  // Time passes at once, and only so much of the file comes.
  const { address, headers, kept } = await pushing(manualClock());
  const status = await new Promise((resolve, reject) => {
    const sending = request(address, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
      sending.destroy();
    });
    sending.on('error', reject);
    sending.write('Email,Course ID\n');
  });
  expect([status, kept()]).toEqual([408, []]);
});

it('a form is not taken for a file', async () => {
  const { address, headers, kept } = await pushing();
  const body = new FormData();
  body.append('file', new Blob(['Email\n']), 'a.csv');
  const answer = await fetch(address, { method: 'POST', headers, body });
  expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
    415,
    { type: 'urn:registrar:problem:unsupported-media-type', subject: 'Content-Type' },
  ]);
  expect(kept()).toEqual([]);
});
