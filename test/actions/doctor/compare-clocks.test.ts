import { describe, expect, it } from 'vitest';
import { compareClocks } from '../../../src/actions/doctor/compare-clocks.js';
import { msFromIso } from '../../../src/domain/clock.js';

const AT = msFromIso('2027-03-02T10:30:00.000Z');
const DATE = 'Tue, 02 Mar 2027 10:30:00 GMT';

const compared = (sentMs: number, receivedMs = sentMs, date: string | null = DATE) =>
  compareClocks('main', { date, sentMs: AT + sentMs, receivedMs: AT + receivedMs });

describe('the clock of this machine', () => {
  it.each([
    ['to the millisecond', 0, 0, 'ok', 'agrees with'],
    ['within the second of the header', 30_999, 30_999, 'ok', 'agrees with'],
    ['ahead by more', 31_999, 31_999, 'attention', 'is 31 s ahead of'],
    ['ahead by five minutes', 300_999, 300_999, 'attention', 'is 300 s ahead of'],
    ['ahead by more than five minutes', 301_999, 301_999, 'broken', 'is 301 s ahead of'],
    ['behind by half a minute', -30_999, -30_999, 'ok', 'agrees with'],
    ['behind by more', -31_000, -31_000, 'attention', 'is 31 s behind'],
    ['behind by five minutes', -300_000, -300_000, 'attention', 'is 300 s behind'],
    ['behind by an hour', -3_600_000, -3_600_000, 'broken', 'is 3600 s behind'],
    ['around a request of two minutes', -60_000, 60_000, 'ok', 'agrees with'],
    ['ahead after a slow request', 0, 90_000, 'ok', 'agrees with'],
    ['behind before a slow request', -90_000, -10_000, 'ok', 'agrees with'],
    ['behind at the end of a slow request', -400_000, -40_000, 'attention', 'is 40 s behind'],
  ])('%s', (_, sentMs, receivedMs, verdict, words) => {
    const found = compared(sentMs, receivedMs);
    expect([found.check, found.subject, found.verdict]).toEqual(['clock', 'main', verdict]);
    expect(found.message).toContain(words);
  });

  it('is told with what its error harms, and with the command that sets it', () => {
    const [ahead, behind] = [compared(600_000), compared(-600_000)];
    expect(ahead.message).toContain('the schedule starts early');
    expect(behind.message).toContain('refused as lying in the future, the schedule starts late');
    for (const { remedy, exit } of [ahead, behind])
      expect([remedy, exit]).toEqual([expect.stringContaining('timedatectl set-ntp true'), 'io']);
  });

  it.each([
    ['no header', null, 'sends no date'],
    ['an empty one', '', 'that is no date'],
    ['two', `${DATE}, ${DATE}`, 'that is no date'],
    ['words', 'yesterday', 'that is no date'],
    ['a year', '2020', 'that is no date'],
    ['a day that there is not', 'Tue, 99 Mar 2027 10:30:00 GMT', 'that is no date'],
    ['a time of no zone', 'Tue, 02 Mar 2027 10:30:00', 'that is no date'],
  ])('is compared with nothing where the answer has %s', (_, date, words) => {
    const found = compared(3_600_000, 3_600_000, date);
    expect([found.verdict, found.remedy]).toEqual(['ok', '']);
    expect(found.message).toContain(words);
  });
});
