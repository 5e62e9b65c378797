import { CsvDamage, csvParser } from './csv-parser.js';
import type { TextFacts } from './opened-drop.js';

/** How a text file is laid out, as far as its beginning shows. */
export interface CsvLayout {
  readonly delimiter: string;
  readonly lineEnds: TextFacts['lineEnds'];
  /** The first line is Excel's `sep=;`, which is no row. */
  readonly hasSeparatorLine: boolean;
}

/**
 * Looks at the beginning of a text. The declared delimiter wins, then the one of a `sep=` line, then the one under
 * which neighbouring records have the same number of fields.
 */
export async function detectLayout(sample: Buffer, declared: string | undefined): Promise<CsvLayout> {
  const text = sample.toString();
  const separator = /^"?sep=(\t|[^\w\s"])"?(?:[\r\n]|$)/i.exec(text)?.[1];
  return {
    delimiter: declared ?? separator ?? (await detectDelimiter(sample)),
    lineEnds: lineEnds(text),
    hasSeparatorLine: separator !== undefined,
  };
}

/**
 * Candidates; of equals the earlier wins. The comma comes last: it is the one that prose and decimal numbers hold
 * as well, while a tab or a semicolon in every record is there for a reason.
 */
const DELIMITERS = ['\t', ';', '|', ','] as const;

/** What a text without any delimiter is said to have. */
const NO_DELIMITER = ',';

const SAMPLE_RECORDS = 50;

async function detectDelimiter(sample: Buffer): Promise<string> {
  let best = { delimiter: NO_DELIMITER, agreeing: 0, fields: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = await recordWidths(sample, delimiter);
    const agreeing =
      widths.filter((width, i) => width > 1 && agrees(width, widths, i)).length / widths.length;
    const fields = widths.reduce((sum, width) => sum + width - 1, 0);
    // Where no two records agree, the delimiter that occurs most is taken.
    if (agreeing > best.agreeing || (agreeing === 0 && best.agreeing === 0 && fields > best.fields)) {
      best = { delimiter, agreeing, fields };
    }
  }
  return best.delimiter;
}

/**
 * Comparing neighbours instead of the whole file lets reports of several tables count, and titles not; and where a
 * decimal comma splits the data, the header still disagrees with it.
 */
function agrees(width: number, widths: readonly number[], i: number): boolean {
  return widths[i - 1] === width || widths[i + 1] === width;
}

/** Fields of each of the first records that aren't blank lines. */
async function recordWidths(sample: Buffer, delimiter: string): Promise<number[]> {
  const widths: number[] = [];
  const parser = csvParser(delimiter, (fields) => {
    if (widths.length < SAMPLE_RECORDS && (fields.length > 1 || fields[0] !== '')) widths.push(fields.length);
  });
  try {
    await parser.write(sample);
    await parser.end();
  } catch (error) {
    // The sample may end inside quotes; and what can't be read under this delimiter may be under another.
    if (!(error instanceof CsvDamage)) throw error;
  }
  return widths;
}

/** Line breaks inside quotes aren't line ends; a quote that stands for inches can blur that, which does no harm. */
function lineEnds(text: string): TextFacts['lineEnds'] {
  const outsideQuotes = text.split('"').filter((_, i) => i % 2 === 0);
  const found = new Set(outsideQuotes.flatMap((part) => part.match(/\r\n|\n|\r/g) ?? []));
  if (found.size > 1) return 'mixed';
  if (found.has('\r\n')) return 'crlf';
  if (found.has('\n')) return 'lf';
  return found.has('\r') ? 'cr' : 'none';
}
