/** Languages whose month names are known (ISO 639-1; `nb` is Norwegian). */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'da',
  'nb',
  'sv',
  'pl',
  'cs',
  'hr',
] as const;

export type Language = (typeof LANGUAGES)[number];
