import { expect, it } from 'vitest';
import { logInAttempts } from '../../../src/actions/access/attempts.js';
import { manualClock } from '../../support/manual-clock.js';

const MINUTE_MS = 60_000;

function attemptCounter() {
  const clock = manualClock();
  const attempts = logInAttempts(clock);
  /** How many of the tries had their password checked. */
  const looked = (
    count: number,
    name: string | ((n: number) => string),
    address: string | ((n: number) => string),
  ) =>
    Array.from({ length: count }, (_, n) =>
      attempts.begin(
        typeof name === 'string' ? name : name(n),
        typeof address === 'string' ? address : address(n),
      ),
    ).filter((begun) => 'right' in begun).length;
  return { clock, attempts, looked };
}

it('a name allows five wrong passwords from one address, and other addresses stay unaffected', () => {
  const { looked } = attemptCounter();
  expect(looked(8, 'ada', '10.0.0.1')).toBe(5);
  expect(looked(8, 'ada', '10.0.0.2')).toBe(5);
  expect(looked(1, 'bob', '10.0.0.1')).toBe(1);
});

it('many wrong passwords for a name from many addresses slow sign-in down, and don’t lock it', () => {
  const { attempts, clock } = attemptCounter();
  const slowed = (n: number) => {
    const begun = attempts.begin('ada', `10.0.${n}.1`);
    return 'slowedMs' in begun ? begun.slowedMs : null;
  };
  expect(Array.from({ length: 20 }, (_, n) => slowed(n))).toEqual(Array(20).fill(0));
  expect(slowed(20)).toBe(3_000);
  clock.pass(15 * MINUTE_MS);
  expect(slowed(21)).toBe(0);
});

it('an address may try twenty wrong passwords, under any names, and other addresses keep theirs', () => {
  const { looked } = attemptCounter();
  expect(looked(30, (n) => `user${n}`, '10.0.0.1')).toBe(20);
  expect(looked(1, 'ada', '10.0.0.2')).toBe(1);
});

it('each wrong password counts for a quarter of an hour, and the answer says how long to wait', () => {
  const { clock, attempts } = attemptCounter();
  for (let n = 0; n < 5; n += 1) {
    attempts.begin('ada', '10.0.0.1');
    clock.pass(MINUTE_MS);
  }
  expect(attempts.begin('ada', '10.0.0.1')).toEqual({ retryAfterMs: 10 * MINUTE_MS });
  clock.pass(10 * MINUTE_MS - 1);
  expect(attempts.begin('ada', '10.0.0.1')).toEqual({ retryAfterMs: 1 });
  clock.pass(1);
  expect(attempts.begin('ada', '10.0.0.1')).toHaveProperty('right');
  expect(attempts.begin('ada', '10.0.0.1')).toEqual({ retryAfterMs: MINUTE_MS });
});

it('a change of the wall clock doesn’t shorten the wait', () => {
  const { clock, attempts, looked } = attemptCounter();
  looked(5, 'ada', '10.0.0.1');
  clock.setWall(clock.nowMs() + 60 * MINUTE_MS);
  expect(attempts.begin('ada', '10.0.0.1')).toEqual({ retryAfterMs: 15 * MINUTE_MS });
});

it('the right password clears the wrong ones of its name, but not those of other names from the address', () => {
  const { attempts, looked } = attemptCounter();
  looked(4, 'ada', '10.0.0.1');
  const begun = attempts.begin('ada', '10.0.0.1');
  if ('right' in begun) begun.right();
  expect(looked(8, 'ada', '10.0.0.1')).toBe(5);
  expect(looked(30, (n) => `user${n}`, '10.0.0.1')).toBe(11);
});

it.each([
  ['addresses of one IPv6 network', (n: number) => `2001:db8:1:2::${(n + 1).toString(16)}`, 20],
  [
    'one network in several spellings',
    (n: number) => ['2001:0db8:1:2:3:4:5:6', '2001:DB8:1:2::'][n % 2] ?? '',
    20,
  ],
  ['several IPv6 networks', (n: number) => `2001:db8:1:${n + 1}::1`, 30],
  ['an IPv4 address, mapped or not', (n: number) => ['::ffff:10.0.0.1', '10.0.0.1'][n % 2] ?? '', 20],
])('guesses from one network are counted together: %s', (_, address, most) => {
  expect(attemptCounter().looked(30, (n) => `user${n}`, address)).toBe(most);
});

it('guesses at ever new names keep a bounded number of names in memory', () => {
  const { looked } = attemptCounter();
  expect(looked(5, 'ada', '10.9.9.9')).toBe(5);
  looked(
    10_000,
    (n) => `user${n}`,
    (n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  );
  // The oldest is forgotten.
  expect(looked(1, 'ada', '10.9.9.9')).toBe(1);
});
