import { expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { pinFallback, requireKnownSettings } from '../../src/staging/key-settings.js';
import { sourceWith } from '../normalise/builders.js';
import { encodeAs } from '../support/encode-as.js';
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
    requireKnownSettings(ledger, before, null);
    stage(ledger, [{}]);
    pinFallback(ledger, before, await openContent(encodeAs('windows-1252', 'é')));
    const told = () => {
      try {
        requireKnownSettings(ledger, sourceWith({ encoding }), null);
        return null;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return error.message;
      }
    };
    expect(told()).toEqual(change === null ? null : expect.stringContaining(change));
  },
);

it('an encoding may be declared of a source whose files have said it themselves', async () => {
  const ledger = testLedger();
  requireKnownSettings(ledger, sourceWith(), null);
  stage(ledger, [{}]);
  pinFallback(ledger, sourceWith(), await openContent('é'));
  expect(() => requireKnownSettings(ledger, sourceWith({ encoding: 'windows-1250' }), null)).not.toThrow();
  expect(() => requireKnownSettings(ledger, sourceWith(), null)).toThrow('encoding was "windows-1250"');
});
