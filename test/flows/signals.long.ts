import { describe, it } from 'vitest';
import { interruptedPush } from '../support/interrupted-push.js';

describe('a signal', () => {
  it.each([['SIGTERM', 143]] as const)(
    '%s while pushing ends the run with %i: what was under way is answered, the rest waits',
    interruptedPush,
  );
});
