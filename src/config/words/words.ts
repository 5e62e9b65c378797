import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';
import { z } from '../zod.js';
import { LANGUAGES } from './languages.js';

const schema = once(() => z.record(z.string(), z.record(z.string(), z.string())));

/** The words of each language. Most commands need none: the files are read when the first of them is asked for. */
const languageFiles = once(
  () => new Map(LANGUAGES.map((language) => [language, readData(`words/${language}.yaml`)])),
);

/** Sections of named texts. All values are texts: "no" and "1" are words. A file with a mistake is a bug of this program. */
function readData(name: string): z.infer<ReturnType<typeof schema>> {
  const text = readFileSync(fileURLToPath(new URL(`data/${name}`, INSTALLATION)), 'utf8');
  const parsed = schema().safeParse(parse(text, { schema: 'failsafe' }));
  if (!parsed.success) throw new Error(`data/${name}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const LISTS = new Map<string, readonly string[]>();

/**
 * The words of a list such as `status.completed` in all languages, those of English first, or in one of them. Each list is one
 * that English has; data/README.md says what it is for.
 */
export function words(list: string, language?: string): readonly string[] {
  const key = `${list} ${language}`;
  const known = LISTS.get(key);
  if (known) return known;
  const [section = '', name = ''] = list.split('.');
  if (languageFiles().get('en')?.[section]?.[name] === undefined) throw new Error(`no list of words ${list}`);
  const found = [...languageFiles()].flatMap(([each, sections]) =>
    language === undefined || each === language ? parted(sections[section]?.[name] ?? '') : [],
  );
  LISTS.set(key, found);
  return found;
}

function parted(text: string): readonly string[] {
  return text.split(/[|\n]/).flatMap((word) => word.trim() || []);
}

/** The zones that systems name otherwise than the IANA does, by these names in lower case: those of data/zones.yaml. */
export const zonesByName = once((): ReadonlyMap<string, string> => {
  const { common = {}, windows = {} } = readData('zones.yaml');
  const standard = Object.entries(windows).map(([name, zone]) => {
    const [region, country] = name.split(' (');
    return [`${region} standard time${country === undefined ? '' : ` (${country}`}`, zone] as const;
  });
  return new Map([...Object.entries(common), ...standard]);
});
