import type { Obstacle } from '../../ledger/submissions/select/select-rows.js';

/** Why a chosen row is not sent, or after which it goes; null: nothing is in its way. */
export function obstacleWords(obstacle: Obstacle | null): string | null {
  switch (obstacle?.kind) {
    case 'replaced':
      return `not sent: #${obstacle.by} is newer`;
    case 'damaged':
      return 'not sent: damaged';
    case 'behind':
      return `after #${obstacle.id}`;
    default:
      return null;
  }
}
