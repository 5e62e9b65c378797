import type { ByteSurvey } from './survey-bytes.js';

/** True for a text in UTF-32, by its byte-order mark, or where every four bytes at its beginning are a character. */
export function isUtf32({ head, nuls, identity: { bytes } }: ByteSurvey): boolean {
  if (MARKS.some((mark) => mark.equals(head.subarray(0, 4)))) return true;
  if (bytes % 4 !== 0 || nuls.even + nuls.odd < bytes / 4) return false;
  const groups = Array.from({ length: head.length >> 2 }, (_, i) => head.subarray(4 * i, 4 * i + 4));
  return (
    groups.every(([a = 0, b = 0, c = 0, d = 0]) => d === 0 && c <= LAST_PLANE && (a | b) !== 0) ||
    groups.every(([a = 0, b = 0, c = 0, d = 0]) => a === 0 && b <= LAST_PLANE && (c | d) !== 0)
  );
}

const MARKS = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])];

/** The highest third byte of characters in use; in UTF-16 a letter or a line end stands there. */
const LAST_PLANE = 2;
