import type { DropIdentity } from '../domain/drop.js';
import type { Row } from '../domain/row.js';
import { isZip, kindOfFile } from './kind-of-file.js';
import type { FileSnapshot, OpenedDrop, OpenOptions } from './opened-drop.js';
import { assertUnchanged, fileStamp } from './read-bytes.js';
import { decideEncoding, decodeText, type TextEncoding } from './text/encoding/decide-encoding.js';
import { type ByteSurvey, surveyBytes } from './text/encoding/survey-bytes.js';
import { detectLayout, detectRowEnd, readCsv } from './text/read-csv.js';
import { explainFailure, unreadable } from './unreadable.js';
import { openWorkbook, readSheet } from './workbook/read-xlsx.js';

/**
 * Hashes a delivered file, recognises its format by its content, and finds out how to read it. Holds no file open between calls.
 * @param earlier spares a pass over the bytes of a file that was opened with the same options; one that was changed since is refused.
 */
export async function openDrop(
  path: string,
  options: OpenOptions,
  earlier?: FileSnapshot,
): Promise<OpenedDrop> {
  try {
    const { stamp, survey } = earlier ?? { stamp: fileStamp(path), survey: await surveyBytes(path) };
    const isArchive = isZip(survey.head);
    const kind = isArchive ? null : kindOfFile(survey.head);
    if (kind !== null && kind.remedy !== null)
      throw unreadable(path, 'kind-not-read', { kind: kind.name, remedy: kind.remedy });
    const encoding = isArchive
      ? null
      : (earlier?.encoding ?? (await decideEncoding(path, survey, options.encoding)));
    const opened =
      encoding === null
        ? await openZip(path, survey)
        : await openText(path, survey.identity, encoding, options);
    assertUnchanged(path, stamp);
    return {
      ...opened,
      snapshot: { stamp, survey, encoding },
      rows: (sheet) => guarded(path, stamp, opened.rows(sheet)),
    };
  } catch (error) {
    throw explainFailure(path, error);
  }
}

async function openZip(path: string, { identity }: ByteSurvey): Promise<Omit<OpenedDrop, 'snapshot'>> {
  const workbook = await openWorkbook(path);
  return {
    identity,
    format: 'xlsx',
    text: null,
    workbook: workbook.facts,
    rows: (sheet) => readSheet(path, workbook, sheet),
  };
}

async function openText(
  path: string,
  identity: DropIdentity,
  encoding: TextEncoding,
  options: OpenOptions,
): Promise<Omit<OpenedDrop, 'snapshot'>> {
  const sample = await readSample(path, encoding);
  const { delimiter, quote = '"', rowEnd = detectRowEnd(path, sample) } = options;
  const syntax = { quote: quote === 'none' ? null : quote, rowEnd };
  const layout = detectLayout(sample, delimiter === undefined ? syntax : { ...syntax, delimiter });
  return {
    identity,
    format: 'csv',
    text: {
      encoding: encoding.name,
      fallback: encoding.isFallback,
      bom: encoding.bomBytes > 0,
      delimiter: layout.delimiter,
      rowEnd: layout.rowEnd,
    },
    workbook: null,
    rows: () => readCsv(path, encoding, layout),
  };
}

const SAMPLE_CHARS = 64 * 1024;

async function readSample(path: string, encoding: TextEncoding): Promise<string> {
  let sample = '';
  for await (const text of decodeText(path, encoding)) {
    sample += text;
    if (sample.length >= SAMPLE_CHARS) break;
  }
  return sample;
}

/** The rows of the very file that was opened: another one under its path would carry the wrong hash. */
async function* guarded(
  path: string,
  stamp: string | null,
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  try {
    assertUnchanged(path, stamp);
    yield* rows;
    assertUnchanged(path, stamp);
  } catch (error) {
    throw explainFailure(path, error);
  }
}
