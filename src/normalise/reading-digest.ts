import { hash } from 'node:crypto';
import type { SourceConfig } from '../config/schema.js';
import type { Profile } from './profile.js';

/**
 * Digest of what decides how a drop's rows are read: its sheet, its source but for where the files lie and how many rows
 * they should have, its profile.
 * @param profile of corrected rows: those of all drops that they are of.
 */
export function readingDigest(
  sheet: string | null,
  source: SourceConfig,
  profile: Profile | readonly unknown[],
): string {
  const { inbox: _, match: __, stableForMs: ___, control: ____, ...reading } = source;
  return hash('sha256', JSON.stringify([sheet, reading, profile]), 'hex').slice(0, 32);
}
