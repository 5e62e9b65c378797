import { isNews, noteShown } from '../workspace/last-shown.js';
import { describeFailure } from './describe-failure.js';

/** True for a failure that is what `run --changed` has shown last; any other is noted as shown. A bug is always shown. */
export async function isShownBefore(root: string, error: unknown): Promise<boolean> {
  const { text, exit } = describeFailure(error);
  if (exit === 'bug') return false;
  if (!isNews(root, [text])) return true;
  // A disk on which nothing can be noted is what the failure is about.
  await noteShown(root, [text]).catch(() => undefined);
  return false;
}
