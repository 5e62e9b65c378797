import { describe, expect, it } from 'vitest';
import { isUnknownBoot, machineBoot, systemClock, thisBoot } from '../../src/domain/clock.js';

const OTHER = 'time:[4026532177]';

/** What Linux says to a process in that time namespace. */
const linux = (namespace: string | null, offsets: string | null, forChildren = namespace) =>
  thisBoot((path) => {
    const said: Record<string, string | null> = {
      '/proc/sys/kernel/random/boot_id': 'a-boot',
      '/proc/self/ns/time': namespace,
      '/proc/self/ns/time_for_children': forChildren,
      '/proc/self/timens_offsets': offsets,
    };
    return said[path] ?? null;
  });

describe('the monotonic clock of a time namespace', () => {
  it.each<[string, string | null, string | null, number]>([
    ['the first one', 'time:[4026531834]', 'monotonic 0 0\nboottime 0 0', 0],
    ['none, on a kernel without them', null, null, 0],
    ['one ahead', OTHER, 'monotonic        1000 500000000\nboottime         1000         0', 1_000_500],
    ['one behind', OTHER, 'monotonic   -20   0\nboottime   -20   0', -20_000],
  ])('is brought back to that of the machine: %s', (_, namespace, offsets, aheadMs) => {
    expect(linux(namespace, offsets)).toEqual({ id: 'a-boot', aheadMs });
  });

  it.each([
    ['nobody says how far it is ahead', null, OTHER],
    ['what is said is about children', 'monotonic 1000 0', 'time:[4026532178]'],
  ])('counts as another boot of the same machine where %s', (_, offsets, forChildren) => {
    const { id, aheadMs } = linux(OTHER, offsets, forChildren);
    expect(id).not.toBe('a-boot');
    expect({ machine: machineBoot(id), aheadMs }).toEqual({ machine: 'a-boot', aheadMs: 0 });
    expect(isUnknownBoot(id)).toBe(false);
  });
});

it('the clock of this machine names its boot and goes on', async () => {
  const clock = systemClock();
  const before = clock.monotonicMs();
  await clock.sleep(5);
  expect(clock.monotonicMs()).toBeGreaterThan(before);
  expect(clock.bootId).not.toBe('');
});
