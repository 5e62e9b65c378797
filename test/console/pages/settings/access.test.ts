import { expect, it } from 'vitest';
import { addToken, tokenPerson } from '../../../../src/actions/access/tokens.js';
import { recordEvent } from '../../../../src/ledger/access/audit-log.js';
import { actionContext } from '../../../support/action-context.js';
import { decider } from '../../../support/decider.js';
import { manualClock } from '../../../support/manual-clock.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { testLedger } from '../../../support/staged-ledger.js';
import { testWorkspace } from '../../../support/workspace.js';
import { workspaceContext } from '../../../support/workspace-context.js';

it('a token is added and shown once, used, listed and revoked, each with who did it', async () => {
  const workspace = await testWorkspace();
  const context = await workspaceContext(workspace);
  const { as } = await peopledConsole(context);
  const ada = await as('operator');
  await ada.get('/settings/access');
  const added = await read(await ada.post('/settings/access', { name: 'billing', role: 'viewer' }));
  const secret = /<pre class="answer"[^>]*>([^<]+)/.exec(added.markup)?.[1] ?? '';
  expect(await tokenPerson(context, secret)).toEqual({ name: 'billing', role: 'viewer' });

  const listed = await read(await ada.get('/settings/access'));
  expect(listed.text).toMatch(/billing viewer .* by ada/);
  expect(listed.markup).not.toContain(secret);
  const auditor = await as('auditor');
  const seen = await read(await auditor.get('/settings/access'));
  expect([seen.status, seen.markup.includes('Add a token'), seen.markup.includes('Revoke')]).toEqual([
    200,
    false,
    false,
  ]);
  expect((await (await as('viewer')).get('/settings/access')).status).toBe(403);

  expect((await ada.post('/settings/access', { name: 'billing', role: 'viewer' })).status).toBe(409);
  expect((await ada.post('/settings/access', { name: 'other', role: 'root' })).status).toBe(422);
  await ada.get('/settings/access');
  expect((await ada.post('/settings/access/revoke', { name: 'billing' })).status).toBe(303);
  expect(await tokenPerson(context, secret)).toBeNull();
  expect((await read(await ada.get('/settings/access'))).text).toMatch(/revoked .* by ada/);
  const log = await read(await ada.get('/audit'));
  expect(log.text).toContain('Add a token');
  expect(log.text).toContain('Revoke a token');
});

it('an expired token can be revoked, and then another one has its name', async () => {
  const clock = manualClock();
  const context = actionContext(testLedger(clock));
  const input = { name: 'billing', role: 'viewer' as const, days: 1 };
  await addToken(context, input, decider('ada'));
  clock.pass(2 * 86_400_000);
  // What a program does would look like what the person did.
  await recordEvent(context.ledger, 'sign-in', { name: 'Kim@x.example', door: 'console' });
  const person = addToken(context, { name: 'kim@x.example', role: 'viewer' }, decider('ada'));
  await expect(person).rejects.toThrow('is a person who signs in');
  const ada = await (await peopledConsole(context)).as('operator');
  expect((await read(await ada.get('/settings/access'))).text).toMatch(/expired\s*Revoke/);
  expect((await ada.post('/settings/access', { name: 'billing', role: 'viewer' })).status).toBe(409);
  await ada.get('/settings/access');
  expect((await ada.post('/settings/access/revoke', { name: 'billing' })).status).toBe(303);
  await ada.get('/settings/access');
  expect((await ada.post('/settings/access', { name: 'billing', role: 'viewer', days: '30' })).status).toBe(
    200,
  );
});
