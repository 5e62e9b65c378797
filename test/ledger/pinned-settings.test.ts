import { describe, expect, it } from 'vitest';
import { changedSettings, confirmSettings, countKeyed } from '../../src/ledger/pinned-settings.js';
import { decider } from '../support/decider.js';
import { stage, testLedger } from '../support/staged-ledger.js';

const berlin = { timeZone: 'Europe/Berlin', dateOnly: 'start' };

describe('changedSettings', () => {
  it('pins the settings the first time, and finds the change later', () => {
    const ledger = testLedger();
    expect(changedSettings(ledger, 'academy', berlin)).toEqual([]);
    expect(changedSettings(ledger, 'academy', berlin)).toEqual([]);
    expect(changedSettings(ledger, 'academy', { ...berlin, timeZone: 'UTC' })).toEqual([
      { name: 'timeZone', was: 'Europe/Berlin', is: 'UTC' },
    ]);
    expect(changedSettings(ledger, 'another', { ...berlin, timeZone: 'UTC' })).toEqual([]);
  });

  it('lets a setting be set that was not: rows in need of it had no key', () => {
    const ledger = testLedger();
    changedSettings(ledger, 'academy', { ...berlin, timeZone: '' });
    expect(changedSettings(ledger, 'academy', berlin)).toEqual([]);
    expect(changedSettings(ledger, 'academy', { ...berlin, timeZone: 'UTC' })).toHaveLength(1);
  });

  it('is quiet once a person has confirmed, who is recorded', () => {
    const ledger = testLedger();
    changedSettings(ledger, 'academy', berlin);
    const moved = { ...berlin, timeZone: 'UTC' };
    confirmSettings(ledger, 'academy', moved, decider('ada'));
    expect(changedSettings(ledger, 'academy', moved)).toEqual([]);
    expect(ledger.sqlite.prepare('select kind, who from decision').all()).toEqual([
      { kind: 'confirm', who: 'ada' },
    ]);
  });

  it('counts the rows that have keys', () => {
    const ledger = testLedger();
    stage(ledger, [{}, { content: 'C-2' }]);
    expect(countKeyed(ledger, 'academy')).toBe(2);
    expect(countKeyed(ledger, 'another')).toBe(0);
  });
});
