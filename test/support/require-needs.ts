import { beforeEach } from 'vitest';
import { requireNeeds } from './needs.js';

// Only with REQUIRE_ALL=1 does a test begin that lacks something.
beforeEach(({ task }) => requireNeeds(task.tags ?? []));
