import { isMendedBySettingAlone, leadingIssue } from '../../domain/issue.js';
import type { AttentionRow } from '../../ledger/books/rows/attention-rows.js';
import { saysExists } from '../../platform/answers/classify.js';

/** Who can do something about a row, and so on which sheet it stands: exactly one for each row. */
export type Actor = 'sender' | 'learners' | 'platform' | 'keeper';

/**
 * `sender`: the row can be corrected in the file. `learners`: the platform doesn't know its learner. `platform`: somebody
 * must look up the platform's record to say what is right. `keeper`: a setting or a rerun mends the row.
 */
export function whoActs({
  state,
  cause,
  status,
  issues,
}: Pick<AttentionRow, 'state' | 'cause' | 'status' | 'issues'>): Actor {
  if (state === 'invalid') {
    const issue = leadingIssue(issues);
    return issue !== undefined && isMendedBySettingAlone(issue.code) ? 'keeper' : 'sender';
  }
  if (cause === 'learner-unknown') return 'learners';
  if (state === 'failed' || cause === 'canary' || cause === 'damaged') return 'keeper';
  if (state === 'rejected') return saysExists(status) ? 'platform' : 'sender';
  return 'platform';
}
