import { describe, expect, it } from 'vitest';
import { isUnknownBoot, machineBoot, systemClock, thisBoot } from '../../src/domain/clock.js';

const OTHER = 'time:[4026532177]';

/** The boot by what Linux says to a process in that time namespace. */
const linux = (namespace: string | null) =>
  thisBoot((path) => {
    const files: Record<string, string | null> = {
      '/proc/sys/kernel/random/boot_id': 'a-boot',
      '/proc/self/ns/time': namespace,
    };
    return files[path] ?? null;
  });

describe('the boot of a time namespace', () => {
  it.each([
    ['the first one', 'time:[4026531834]'],
    ['none, on a kernel without them', null],
  ])('is that of the machine: %s', (_, namespace) => {
    expect(linux(namespace)).toBe('a-boot');
  });

  it('counts as another one of the same machine where it is another namespace', () => {
    const id = linux(OTHER);
    expect(id).not.toBe('a-boot');
    expect(machineBoot(id)).toBe('a-boot');
    expect(isUnknownBoot(id)).toBe(false);
  });
});

it('the system clock has a boot id and advances', async () => {
  const clock = systemClock();
  const before = clock.monotonicMs();
  await clock.sleep(5);
  expect(clock.monotonicMs()).toBeGreaterThan(before);
  expect(clock.bootId).not.toBe('');
});
