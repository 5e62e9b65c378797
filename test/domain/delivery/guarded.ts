import type { SlotMember } from '../../../src/domain/delivery/guard.js';
import type { Slot } from '../../../src/domain/delivery/slot.js';

export const EARLIER = '2026-01-01T00:00:00.000Z';
export const LATER = '2026-02-01T00:00:00.000Z';

/** A first submission that waits. */
export const WAITING: SlotMember = {
  id: 10,
  revision: 1,
  occurredAt: '2026-01-10T00:00:00.000Z',
  state: 'waiting',
  overrides: null,
};

/** A revision of the same occurrence. */
export function revision(id: number, number: number, changed: Partial<SlotMember> = {}): SlotMember {
  return { ...WAITING, id, revision: number, ...changed };
}

/** Another occurrence in the same slot. */
export function other(id: number, changed: Partial<SlotMember> = {}): SlotMember {
  return { ...WAITING, id, occurredAt: '2026-01-20T00:00:00.000Z', ...changed };
}

/** A slot of these submissions, without a hold of its learner, where a newer revision replaces earlier ones. */
export function slotOf(submissions: readonly SlotMember[], changed: Partial<Slot> = {}): Slot {
  return { submissions, hold: null, supersedes: true, ...changed };
}
