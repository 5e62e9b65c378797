import { readFile, stat } from 'node:fs/promises';
import { explainFailure, unreadable } from './unreadable.js';

/** What a control file says about its drop. */
export interface ControlTotal {
  /** Rows of data; the header and blank lines don't count. */
  readonly rows: number;
  /** The hash of the drop's bytes, 64 hex digits in lower case; null when the control file doesn't give it. */
  readonly sha256: string | null;
}

/**
 * Reads a control file: a number alone; `rows=1234`, or with a colon, beside other such lines; or JSON with `rows`. It may also
 * give `sha256`. Throws OperatorError when it gives no number of rows, or two different ones.
 */
export async function readControl(path: string, name: string): Promise<ControlTotal> {
  const said = parseControl(await textOf(path, name));
  if (said !== null) return said;
  throw unreadable(
    name,
    `${name} does not say how many rows its file has`,
    'It must hold a number alone, a line such as rows=1234, or JSON such as {"rows": 1234}.',
  );
}

/** null when the text gives no number of rows, or more than one. */
export function parseControl(text: string): ControlTotal | null {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (COUNT.test(trimmed)) return { rows: Number(trimmed), sha256: null };
  const entries = trimmed.startsWith('{') ? entriesOfJson(trimmed) : entriesOfLines(trimmed);
  const rows = only(entries, 'rows');
  const sha256 = only(entries, 'sha256')?.toLowerCase() ?? null;
  if (rows === undefined || !COUNT.test(rows)) return null;
  const isSaid = entries.some(([key]) => key === 'sha256');
  return isSaid && (sha256 === null || !/^[0-9a-f]{64}$/.test(sha256))
    ? null
    : { rows: Number(rows), sha256 };
}

const COUNT = /^\d{1,12}$/;

/** A count and a hash take a hundred bytes; more is another kind of file. */
const LARGEST_BYTES = 65_536;

async function textOf(path: string, name: string): Promise<string> {
  try {
    const { size } = await stat(path);
    return size > LARGEST_BYTES ? '' : await readFile(path, 'utf8');
  } catch (error) {
    throw explainFailure(name, error);
  }
}

type Entry = readonly [key: string, value: string];

function entriesOfLines(text: string): readonly Entry[] {
  return text.split(/\r\n|\r|\n/).flatMap((line): Entry[] => {
    const [, key, value] = /^\s*(\w+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key.toLowerCase(), value]];
  });
}

function entriesOfJson(text: string): readonly Entry[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Object.entries(parsed as object).map(([key, value]): Entry => [key.toLowerCase(), String(value)]);
  } catch {
    return [];
  }
}

/** The value of a key that is there once. */
function only(entries: readonly Entry[], wanted: string): string | undefined {
  const found = entries.filter(([key]) => key === wanted);
  return found.length === 1 ? found[0]?.[1] : undefined;
}
