import { expect, it } from 'vitest';
import { stallDetector } from '../../src/push/stall-detector.js';
import { manualClock } from '../support/manual-clock.js';

const quiet = (begun: number) => {
  const clock = manualClock();
  const platform = stallDetector(clock);
  for (let request = 0; request < begun; request += 1) platform.began();
  return { clock, platform };
};

it('three requests without an answer for more than five seconds are silence, two are none', () => {
  for (const [begun, isStalled] of [
    [2, false],
    [3, true],
  ] as const) {
    const { clock, platform } = quiet(begun);
    clock.pass(5_000);
    expect(platform.isStalled()).toBe(false);
    clock.pass(1);
    expect(platform.isStalled()).toBe(isStalled);
  }
});

it('any answer ends it, and its time starts again for the requests still under way', () => {
  const { clock, platform } = quiet(5);
  clock.pass(6_000);
  platform.answered(6_000);
  expect(platform.isStalled()).toBe(false);
  clock.pass(12_000);
  expect(platform.isStalled()).toBe(false);
  clock.pass(1);
  expect(platform.isStalled()).toBe(true);
});

it('a slow platform gets twice as long, until it has answered sooner for a while', () => {
  const { clock, platform } = quiet(4);
  clock.pass(20_000);
  platform.answered(20_000);
  clock.pass(39_000);
  expect(platform.isStalled()).toBe(false);
  for (let request = 0; request < 20; request += 1) {
    platform.began();
    platform.answered(50);
  }
  clock.pass(5_001);
  expect(platform.isStalled()).toBe(true);
});

it('lasts when all requests are cancelled, and counts no request that never left', () => {
  const { clock, platform } = quiet(4);
  for (const sent of [true, true, true, true]) platform.abandoned(sent);
  clock.pass(6_000);
  expect(platform.isStalled()).toBe(true);
  const refused = quiet(4);
  for (const sent of [false, false, true, true]) refused.platform.abandoned(sent);
  refused.clock.pass(6_000);
  expect(refused.platform.isStalled()).toBe(false);
});
