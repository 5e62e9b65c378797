import { afterAll } from 'vitest';
import { releaseAll } from './after-file.js';

afterAll(releaseAll);
