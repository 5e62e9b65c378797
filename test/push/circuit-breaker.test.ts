import { expect, it } from 'vitest';
import { circuitBreaker } from '../../src/push/circuit-breaker.js';
import { manualClock } from '../support/manual-clock.js';

const breakerWith = (faults: number) => {
  const clock = manualClock();
  const breaker = circuitBreaker(clock);
  for (let fault = 0; fault < faults; fault += 1) breaker.faulted();
  return { clock, breaker };
};

it('opens after five faults in a row', () => {
  expect(breakerWith(4).breaker.isOpen()).toBe(false);
  expect(breakerWith(5).breaker.isOpen()).toBe(true);
});

it('a sound answer in between starts the count again', () => {
  const { breaker } = breakerWith(4);
  breaker.worked();
  for (let fault = 0; fault < 4; fault += 1) breaker.faulted();
  expect(breaker.isOpen()).toBe(false);
});

it('a fault that no row caused opens it at once', () => {
  const { breaker } = breakerWith(0);
  breaker.faulted(true);
  expect(breaker.isOpen()).toBe(true);
});

it('probes go out after 1, 2, 4 … s, at most 30 s apart', () => {
  const { clock, breaker } = breakerWith(5);
  const waits: number[] = [];
  for (let probe = 0; probe < 8; probe += 1) {
    waits.push(breaker.probeInMs());
    clock.pass(breaker.probeInMs());
    expect(breaker.probeInMs()).toBe(0);
    breaker.faulted();
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

it('an outage is counted from its first fault, and is over with a sound answer', () => {
  const { clock, breaker } = breakerWith(1);
  clock.pass(10_000);
  expect(breaker.outageMs()).toBe(0);
  for (let fault = 0; fault < 4; fault += 1) breaker.faulted();
  expect(breaker.outageMs()).toBe(10_000);
  breaker.worked();
  expect([breaker.isOpen(), breaker.outageMs(), breaker.probeInMs()]).toEqual([false, 0, 0]);
});

it('the delay of the first probe is reset after an outage', () => {
  const { breaker } = breakerWith(9);
  breaker.worked();
  for (let fault = 0; fault < 5; fault += 1) breaker.faulted();
  expect(breaker.probeInMs()).toBe(1_000);
});

it('a platform that requests a longer wait is not probed sooner', () => {
  const { breaker } = breakerWith(4);
  breaker.faulted(false, 90_000);
  expect(breaker.probeInMs()).toBe(90_000);
});

it('is open from the beginning where the environment is known to have stopped working, and probes at once', () => {
  const breaker = circuitBreaker(manualClock(), true);
  expect([breaker.isOpen(), breaker.probeInMs(), breaker.blamesRow()]).toEqual([true, 0, false]);
  breaker.worked();
  expect([breaker.isOpen(), breaker.blamesRow()]).toEqual([false, true]);
});
