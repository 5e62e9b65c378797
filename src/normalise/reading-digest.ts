import { hash } from 'node:crypto';
import type { SourceConfig } from '../config/schema.js';
import type { Profile } from './profile/profile.js';

/**
 * Digest of everything that decides how a drop's rows are read: its sheet, its profile, and its source, except where the files
 * lie, when they are taken, and how many rows they should have.
 * @param profile for corrected rows: the profiles of all drops that they correct.
 */
export function readingDigest(
  sheet: string | null,
  source: SourceConfig,
  profile: Profile | readonly unknown[],
): string {
  const { inbox, match, stableForMs, pollMs, control, expect, ...reading } = source;
  return hash('sha256', JSON.stringify([sheet, reading, profile]), 'hex').slice(0, 32);
}
