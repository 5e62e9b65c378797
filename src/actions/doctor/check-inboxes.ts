import { findUntaken, type InboxSearch } from '../../upkeep/find-untaken.js';
import { type Finding, findings } from './finding.js';

const inbox = findings('inbox', 'io');

/** Checks whether files that no source takes lie in the inboxes. */
export async function* checkInboxes(search: InboxSearch): AsyncGenerator<Finding> {
  const untaken = await findUntaken(search);
  for (const { path, reason, remedy } of untaken) yield inbox.attention(path, reason, remedy);
  if (untaken.length === 0) yield inbox.ok('all', 'nothing lies there that no source takes');
}
