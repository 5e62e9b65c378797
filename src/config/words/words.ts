import { readdirSync } from 'node:fs';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';
import { dataFile } from '../values/data-file.js';

/** The languages whose words are known, each a file of data/words/ (ISO 639-1; `nb` is Norwegian). English is the first. */
export const LANGUAGES: readonly string[] = readdirSync(new URL('data/words/', INSTALLATION))
  .map((name) => name.replace(/\.yaml$/, ''))
  .sort((one, other) => Number(other === 'en') - Number(one === 'en') || (one < other ? -1 : 1));

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Read when the first word is needed: most commands need none. */
const languageFiles = once(
  () => new Map(LANGUAGES.map((language) => [language, dataFile<Sections>(`words/${language}`)()])),
);

const LISTS = new Map<string, readonly string[]>();

/** Of a list such as `status.completed`, in one language, or in all, those of English first. */
export function words(list: string, language?: string): readonly string[] {
  const key = `${list} ${language}`;
  const cached = LISTS.get(key);
  if (cached) return cached;
  const [section = '', name = ''] = list.split('.');
  if (languageFiles().get('en')?.[section]?.[name] === undefined) throw new Error(`no list of words ${list}`);
  const wordList = [...languageFiles()].flatMap(([each, sections]) =>
    language === undefined || each === language ? parted(sections[section]?.[name] ?? '') : [],
  );
  LISTS.set(key, wordList);
  return wordList;
}

function parted(text: string): readonly string[] {
  return text.split(/[|\n]/).flatMap((word) => word.trim() || []);
}

/** Zones by the names, in lower case, that systems other than the IANA give them (data/zones.yaml). */
export const zonesByName = once((): ReadonlyMap<string, string> => {
  const { common = {}, windows = {} } = dataFile<Sections>('zones')();
  const standard = Object.entries(windows).map(([name, zone]) => {
    const [region, country] = name.split(' (');
    return [`${region} standard time${country === undefined ? '' : ` (${country}`}`, zone] as const;
  });
  return new Map([...Object.entries(common), ...standard]);
});
