import type { SourceConfig } from '../../config/schema.js';
import { fileNameMatcher } from '../../config/values/glob.js';
import { visibleText } from '../../domain/text/visible-text.js';
import { reasonOfPrograms } from './list-inbox.js';

/** Longer names fit no file system, in bytes of UTF-8; some room is left for a number. */
const LONGEST_BYTES = 240;

/** An upload has its suggested name within the name of a part. */
const LONGEST_SUGGESTED_BYTES = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what no name may hold.
const UNPRINTABLE = /[\0-\x1f\x7f]/;

/**
 * Why a source's inbox doesn't accept a file of this name from a person, as a sentence without its end; null where it does. A
 * name is never changed silently: the person who gave it searches for it later.
 */
export function fileNameMistake(
  name: string,
  { match, name: source }: Pick<SourceConfig, 'match' | 'name'>,
): string | null {
  if (name.trim() === '') return 'the file has no name';
  if (/[/\\]/.test(name)) return 'the name has a slash; it must be the name of a file, without its folder';
  if (UNPRINTABLE.test(name)) return `the name has a character that can't be printed: ${visibleText(name)}`;
  if (name !== name.trim()) return 'the name begins or ends with a blank';
  if (Buffer.byteLength(name) > LONGEST_BYTES)
    return `the name has ${Buffer.byteLength(name)} bytes; ${LONGEST_BYTES} are the most`;
  if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(name))
    return `${name} is the name of a device on Windows`;
  const ofPrograms = reasonOfPrograms(name);
  if (ofPrograms !== null) return `a file of this name ${ofPrograms}, so no run would import it`;
  return fileNameMatcher(match)(name)
    ? null
    : `source ${source} imports files that match ${match}, and this name doesn't`;
}

/** The name that a browser or a program suggests, without folders and without characters that can't be printed. */
export function suggestedName(upload: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out.
  const printable = upload.replace(/[\0-\x1f\x7f]/g, '');
  const name = (printable.split(/[/\\]/).at(-1) ?? '').trim().replace(/^[.~$]+/, '');
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  let stem = name.slice(0, name.length - ending.length);
  while (Buffer.byteLength(stem + ending) > LONGEST_SUGGESTED_BYTES) stem = [...stem].slice(0, -1).join('');
  return stem + ending;
}
