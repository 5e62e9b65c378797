import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkedSignal } from '../../../src/domain/process/linked-signal.js';

const two = () => [new AbortController(), new AbortController()] as const;

it.each([0, 1] as const)(
  'a linked signal is aborted with any of those that it is linked to (%i)',
  (which) => {
    const all = two();
    const { signal } = linkedSignal(all.map((one) => one.signal));
    expect(signal.aborted).toBe(false);
    all[which].abort();
    expect(signal.aborted).toBe(true);
  },
);

it('a signal that is linked to one that was aborted before is aborted from the beginning', () => {
  expect(linkedSignal([AbortSignal.abort(), new AbortController().signal]).signal.aborted).toBe(true);
});

it('a signal that was unlinked is aborted no more, and leaves no listener', () => {
  const [long, other] = two();
  const { signal, unlink } = linkedSignal([long.signal, other.signal]);
  unlink();
  for (const one of [long, other]) expect(getEventListeners(one.signal, 'abort')).toEqual([]);
  long.abort();
  expect(signal.aborted).toBe(false);
});
