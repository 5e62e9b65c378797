import { expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { pinFallback, requireKnownSettings, settingsInQuestion } from '../../src/staging/key-settings.js';
import { sourceWith } from '../normalise/builders.js';
import { decider } from '../support/decider.js';
import { encodeAs } from '../support/encode-as.js';
import { decisions } from '../support/ledger-trace.js';
import { openContent } from '../support/open-content.js';
import { stage, testLedger } from '../support/staged-ledger.js';

it.each([
  ['the same by another name', 'iso-8859-1', null],
  ['Unicode, in which no such file can be read', 'utf-8', null],
  ['nothing', undefined, null],
  ['another', 'windows-1250', 'encoding was "windows-1252" and is "windows-1250"'],
])(
  'what a source declares after its files fell back to Windows-1252 changes keys or not: %s',
  async (_, encoding, change) => {
    const ledger = testLedger();
    const before = sourceWith();
    await requireKnownSettings(ledger, before, null);
    await stage(ledger, [{}]);
    await pinFallback(ledger, before, await openContent(encodeAs('windows-1252', 'é')));
    const refusal = async () => {
      try {
        await requireKnownSettings(ledger, sourceWith({ encoding }), null);
        return null;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return error.message;
      }
    };
    expect(await refusal()).toEqual(change === null ? null : expect.stringContaining(change));
  },
);

it('an encoding may be declared of a source whose files have said it themselves', async () => {
  const ledger = testLedger();
  await requireKnownSettings(ledger, sourceWith(), null);
  await stage(ledger, [{}]);
  await pinFallback(ledger, sourceWith(), await openContent('é'));
  await requireKnownSettings(ledger, sourceWith({ encoding: 'windows-1250' }), null);
  await expect(async () => requireKnownSettings(ledger, sourceWith(), null)).rejects.toThrow(
    'encoding was "windows-1250"',
  );
});

it('a setting that was never set may be set once, since no row that needs it had a key, and then it stays', async () => {
  const ledger = testLedger();
  await requireKnownSettings(ledger, sourceWith({ timeZone: undefined }), null);
  await stage(ledger, [{}]);
  await requireKnownSettings(ledger, sourceWith({ timeZone: 'Europe/Berlin' }), null);
  const question = await settingsInQuestion(ledger, sourceWith({ timeZone: 'UTC' }));
  expect(question?.message).toMatch(
    /^source academy: timeZone was "Europe\/Berlin" and is "UTC"\. .* of 1 row staged so far/,
  );
});

it('a change needs confirmation, and the person who confirms it is recorded', async () => {
  const ledger = testLedger();
  await requireKnownSettings(ledger, sourceWith({ timeZone: 'Europe/Berlin' }), null);
  await stage(ledger, [{}]);
  const moved = sourceWith({ timeZone: 'UTC' });
  await expect(async () => requireKnownSettings(ledger, moved, null)).rejects.toThrow('timeZone was');
  await requireKnownSettings(ledger, moved, decider('ada'));
  await requireKnownSettings(ledger, moved, null);
  expect(await decisions(ledger)).toMatchObject([{ kind: 'confirm', who: 'ada' }]);
});
