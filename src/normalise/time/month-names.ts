import type { Language } from '../../config/values/languages.js';

/** The month (1-12) that a word names; null for a word that names none, or not the same one in all languages. */
export type MonthNames = (word: string) => number | null;

/** The month names of some languages, written out or abbreviated, with or without accents, in any case. */
export function monthNames(languages: readonly Language[]): MonthNames {
  const known = NAMES.get(languages);
  if (known) return known;
  const months = monthsOf(languages);
  const names: MonthNames = (word) => months.get(foldWord(word)) ?? null;
  NAMES.set(languages, names);
  return names;
}

/** A source's languages are the same list for each of its files. */
const NAMES = new WeakMap<readonly Language[], MonthNames>();

function monthsOf(languages: readonly Language[]): ReadonlyMap<string, number | null> {
  const months = new Map<string, number | null>();
  for (const language of languages) {
    for (const [index, words] of MONTH_WORDS[language].split('|').entries()) {
      for (const word of words.split(' ')) {
        const known = months.get(word);
        months.set(word, known === undefined || known === index + 1 ? index + 1 : null);
      }
    }
  }
  return months;
}

/** True for the name of a day of the week, written out or abbreviated, in any of the languages known. */
export function isWeekday(word: string): boolean {
  return WEEKDAYS.has(foldWord(word));
}

/** Twelve months a language, without accents; the genitive as well where dates are written with it. */
const MONTH_WORDS: Readonly<Record<Language, string>> = {
  en: 'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec',
  de: 'januar jan janner|februar feb|marz maerz mrz mar|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|dezember dez',
  fr: 'janvier janv|fevrier fevr fev|mars|avril avr|mai|juin|juillet juil|aout|septembre sept|octobre oct|novembre nov|decembre dec',
  es: 'enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sep sept|octubre oct|noviembre nov|diciembre dic',
  it: 'gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|ottobre ott|novembre nov|dicembre dic',
  nl: 'januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|november nov|december dec',
  pt: 'janeiro jan|fevereiro fev|marco mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez',
  da: 'januar jan|februar feb|marts mar|april apr|maj|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|december dec',
  nb: 'januar jan|februar feb|mars mar|april apr|mai|juni jun|juli jul|august aug|september sep sept|oktober okt|november nov|desember des',
  sv: 'januari jan|februari feb|mars mar|april apr|maj|juni jun|juli jul|augusti aug|september sep sept|oktober okt|november nov|december dec',
  pl: 'styczen stycznia sty|luty lutego lut|marzec marca mar|kwiecien kwietnia kwi|maj maja|czerwiec czerwca cze|lipiec lipca lip|sierpien sierpnia sie|wrzesien wrzesnia wrz|pazdziernik pazdziernika paz|listopad listopada lis|grudzien grudnia gru',
  cs: 'leden ledna led|unor unora uno|brezen brezna bre|duben dubna dub|kveten kvetna kve|cerven cervna|cervenec cervence|srpen srpna srp|zari|rijen rijna rij|listopad listopadu lis|prosinec prosince pro',
  hr: 'sijecanj sijecnja sij|veljaca veljace velj|ozujak ozujka ozu|travanj travnja tra|svibanj svibnja svi|lipanj lipnja lip|srpanj srpnja srp|kolovoz kolovoza kol|rujan rujna ruj|listopad listopada lis|studeni studenoga stu|prosinac prosinca pro',
};

const WEEKDAY_WORDS = [
  'monday mon montag mo lundi lun lunes lunedi maandag ma segunda segunda-feira seg mandag man pon poniedzialek pondeli po ponedjeljak',
  'tuesday tue tues dienstag di mardi mar martes martedi dinsdag terca terca-feira ter tirsdag tir tisdag tis wtorek wt utery ut utorak uto',
  'wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo quarta quarta-feira qua onsdag ons sroda sr streda st srijeda sri',
  'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedi gio donderdag quinta quinta-feira qui torsdag tor tors czwartek czw ctvrtek ct cetvrtak cet',
  'friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr sexta sexta-feira sex fredag fre piatek pt patek pa petak pet',
  'saturday sat samstag sonnabend sa samedi sam sabado sab sabato zaterdag za lordag lor lørdag lør sobota sob so subota sub',
  'sunday sun sonntag so dimanche dim domingo dom domenica zondag zo sondag son søndag søn niedziela nd nedele ne nedjelja ned',
];

const WEEKDAYS: ReadonlySet<string> = new Set(WEEKDAY_WORDS.flatMap((words) => words.split(' ')));

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
