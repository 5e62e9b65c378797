import { crc32 } from 'node:zlib';
import type { RowBlock } from '../../drops/rows/pack-rows.js';

/** Checksum of a block of kept cells. */
export function blockSum(dropId: number, { firstLine, lastLine, rows, cells }: RowBlock): number {
  return crc32(cells, crc32(`${dropId}\n${firstLine}\n${lastLine}\n${rows}\n`));
}
