import type { Closure } from '../../ledger/drops/refused-drops.js';

/** How a set-aside file was closed, to follow "set aside"; '' while it is open. What a person gave as reason may be personal. */
export function closureText(closure: Closure | null): string {
  if (closure === null) return '';
  if (closure.kind === 'came-in') return ` (its rows have come in with drop ${closure.drop})`;
  const { decision, who, because, at } = closure;
  const why = because === null ? '' : `: ${because}`;
  return ` (dismissed by ${who} on ${at.slice(0, 10)}, decision ${decision}${why})`;
}
