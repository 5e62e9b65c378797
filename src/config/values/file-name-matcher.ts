import { isAttentionName } from '../../domain/files/attention-columns.js';
import { globMatcher } from './glob.js';

/** Whether a source takes a file of a name: by its pattern `match`, or because the name is that of a correction file. */
export function fileNameMatcher(match: string): (name: string) => boolean {
  const matches = globMatcher(match);
  return (name) => matches(name) || isAttentionName(name);
}
