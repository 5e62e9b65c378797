import { describe, expect, it } from 'vitest';
import { isoFromMs } from '../../../src/domain/clock.js';
import { remainingWait, type WaitFacts, type WaitStart } from '../../../src/domain/delivery/wait.js';

const NOW = 1_767_225_600_000;
const facts: WaitFacts = { nowMs: NOW, isKnownToWork: false };
const retried: WaitStart = { event: 'retried', at: isoFromMs(NOW - 1_000) };
const stopped: WaitStart = { event: 'stopped', at: isoFromMs(NOW - 1_000) };
const inMs = (ms: number) => isoFromMs(NOW + ms);

describe('a wait', () => {
  it.each<[string, string | null, WaitStart | null, Partial<WaitFacts>, object | null]>([
    ['is none where none was set', null, retried, {}, null],
    ['is over when its time has come', inMs(0), retried, {}, null],
    ['lasts until its time', inMs(1), retried, {}, { untilMs: NOW + 1, isStopped: false }],
    ['set in the future comes from a clock set back', inMs(1), { ...retried, at: inMs(5_001) }, {}, null],
    [
      'set a moment ahead is one that a clock was corrected by',
      inMs(9_000),
      { ...retried, at: inMs(5_000) },
      {},
      { untilMs: NOW + 9_000 },
    ],
    ["for the platform's sake says so", inMs(1), stopped, {}, { untilMs: NOW + 1, isStopped: true }],
    [
      "for the platform's sake is over once the platform works",
      inMs(1),
      stopped,
      { isKnownToWork: true },
      null,
    ],
    ['for its own sake is not over then', inMs(1), retried, { isKnownToWork: true }, { untilMs: NOW + 1 }],
    ['of a row that never moved is its own', inMs(1), null, {}, { untilMs: NOW + 1, isStopped: false }],
  ])('%s', (_, nextAttemptAt, latest, changed, wait) => {
    const left = remainingWait(nextAttemptAt, latest, { ...facts, ...changed });
    if (wait === null) expect(left).toBeNull();
    else expect(left).toMatchObject(wait);
  });
});
