import { describe, it } from 'vitest';
import { killedInTheMiddle, SLOW } from './ledger-copy-setup.js';

describe('registrar ledger copy', () => {
  it.each(['database'] as const)(
    'killed in the middle, a copy into a %s leaves nothing, and can be made again',
    SLOW,
    killedInTheMiddle,
  );
});
