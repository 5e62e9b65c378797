import type { AttentionRow } from '../../ledger/books/rows/attention.js';
import { saysExists } from '../../platform/answers/classify.js';
import { isMendedBySettingAlone } from '../words/cause-advice.js';

/** Who can do something about a row, and so the sheet it stands on: each row has one. */
export type Actor = 'sender' | 'learners' | 'platform' | 'keeper';

/**
 * `sender`: the row can be corrected in the file. `learners`: the platform doesn't know its learner. `platform`: nobody
 * can say what is right who doesn't look the platform's record up. `keeper`: a setting or a rerun mends it.
 */
export function whoActs({
  state,
  cause,
  status,
  issues,
}: Pick<AttentionRow, 'state' | 'cause' | 'status' | 'issues'>): Actor {
  if (state === 'invalid') {
    return issues.length > 0 && issues.every((issue) => isMendedBySettingAlone(issue.code))
      ? 'keeper'
      : 'sender';
  }
  if (cause === 'learner-unknown') return 'learners';
  if (state === 'failed' || cause === 'canary' || cause === 'damaged') return 'keeper';
  if (state === 'rejected') return saysExists(status) ? 'platform' : 'sender';
  return 'platform';
}
