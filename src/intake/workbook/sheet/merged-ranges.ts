import { unreadable } from '../../unreadable.js';
import type { Archive } from '../open-archive.js';
import { parseXml } from '../xml/parse-xml.js';
import { type CellRange, rangeOf } from './cell-range.js';

/**
 * The merges of a sheet, which follow all of its rows. Unpacks the part, which takes a fifth of the time of reading it, and reads
 * only the text from the first mention of merges on.
 */
export async function readMergedRanges(
  path: string,
  archive: Archive,
  part: string,
): Promise<readonly CellRange[]> {
  const end = await endMentioning(archive.read(part));
  const ranges: CellRange[] = [];
  const add = (reference: string) => {
    const range = rangeOf(reference);
    if (range !== null) ranges.push(range);
    if (ranges.length > RANGES_MAX) {
      throw unreadable(
        path,
        `the workbook's part ${part} merges more than ${RANGES_MAX} groups of cells`,
        'Save the data as CSV.',
      );
    }
  };
  if (end !== null) {
    for (const [, quoted = ''] of end.matchAll(MERGE)) add(quoted.slice(1, -1));
    return ranges;
  }
  const chunks = parseXml(path, archive, part, {
    open: (name, attributes) => {
      if (name === 'mergeCell') add(attributes.get('ref') ?? '');
    },
  });
  for await (const _ of chunks);
  return ranges;
}

/** Each is kept in memory. One for every second row of the longest sheet is half as many. */
const RANGES_MAX = 1_000_000;

const NAME = 'mergeCell';

/** No text holds a bracket, so that this is an element. */
const MERGE = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*\s)?ref\s*=\s*("[^"]*"|'[^']*')/g;

/** The end of a part after a table of a million rows is shorter, except for a text that mentions merges near its beginning. */
const END_CHARS_MAX = 32 * 1024 * 1024;

/**
 * The end of a part from before the first mention of merges on, '' where there is none. null where the part must be read as XML:
 * its end is too long, or it is UTF-16, in which every second byte of markup is 0 and which no program writes.
 */
async function endMentioning(chunks: AsyncIterable<Buffer>): Promise<string | null> {
  let end = '';
  let isMentioned = false;
  for await (const chunk of chunks) {
    if (chunk.includes(0)) return null;
    end += chunk.toString('latin1');
    isMentioned ||= end.includes(NAME);
    // The name, or the bracket and the prefix in front of it, may be cut where the part was unpacked.
    if (!isMentioned) end = end.slice(-SEAM_CHARS);
    if (end.length > END_CHARS_MAX) return null;
  }
  return isMentioned ? end : '';
}

const SEAM_CHARS = 64;
