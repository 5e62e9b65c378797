import type { Settlement } from '../ledger/drops/refused-drops.js';

/** How a set-aside file was settled, to follow "set aside"; '' while it is open. What a person gave as reason may be personal. */
export function settlementText(settlement: Settlement | null): string {
  if (settlement === null) return '';
  if (settlement.kind === 'came-in') return ` (its rows have come in with drop ${settlement.drop})`;
  const { decision, who, because, at } = settlement;
  const why = because === null ? '' : `: ${because}`;
  return ` (dismissed by ${who} on ${at.slice(0, 10)}, decision ${decision}${why})`;
}
