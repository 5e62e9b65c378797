import { describe, it } from 'vitest';
import { FURTHER_SITUATIONS, isShown } from '../support/unhealthy.js';

describe.each(FURTHER_SITUATIONS)('$what', (situation) => {
  it('is shown in all seven places', () => isShown(situation));
});
