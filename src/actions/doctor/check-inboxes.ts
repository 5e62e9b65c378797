import { findUntaken, type InboxSearch } from '../../upkeep/find-untaken.js';
import { type Finding, findings } from './finding.js';

const inbox = findings('inbox', 'io');

/** Checks the inboxes for unmatched files. */
export async function* checkInboxes(search: InboxSearch): AsyncGenerator<Finding> {
  const untaken = await findUntaken(search);
  for (const { path, reason, remedy } of untaken) yield inbox.attention(path, reason, remedy);
  if (untaken.length === 0) yield inbox.ok('all', 'no unmatched files');
}
