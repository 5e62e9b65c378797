/**
 * The month (1-12) that a word names in English, German, French, Spanish, Italian, Dutch or Portuguese, written
 * out or abbreviated, with or without accents; null for any other word.
 */
export function monthOfName(word: string): number | null {
  return MONTHS.get(foldWord(word)) ?? null;
}

/** True for the name of a day of the week, written out or abbreviated, in the same languages. */
export function isWeekday(word: string): boolean {
  return WEEKDAYS.has(foldWord(word));
}

/** One line a month; the words are written without accents. */
const MONTH_WORDS = [
  'january jan januar janner janvier janv enero ene gennaio gen januari janeiro',
  'february feb februar fevrier fevr fev febrero febbraio februari fevereiro',
  'march mar marz maerz mrz mars marzo maart mrt marco',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mag mei maio',
  'june jun juni juin junio giugno giu junho',
  'july jul juli juillet juil julio luglio lug julho',
  'august aug aout agosto ago augustus',
  'september sep sept septembre septiembre setiembre set settembre setembro',
  'october oct oktober okt octobre octubre ottobre ott outubro out',
  'november nov novembre noviembre novembro',
  'december dec dezember dez decembre diciembre dic dicembre dezembro',
];

const WEEKDAY_WORDS = [
  'monday mon montag mo lundi lun lunes lunedi maandag ma segunda segunda-feira seg',
  'tuesday tue tues dienstag di mardi mar martes martedi dinsdag terca terca-feira ter',
  'wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo quarta quarta-feira qua',
  'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedi gio donderdag quinta quinta-feira qui',
  'friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr sexta sexta-feira sex',
  'saturday sat samstag sonnabend sa samedi sam sabado sab sabato zaterdag za',
  'sunday sun sonntag so dimanche dim domingo dom domenica zondag zo',
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_WORDS.flatMap((words, index) => words.split(' ').map((word) => [word, index + 1] as const)),
);

const WEEKDAYS: ReadonlySet<string> = new Set(WEEKDAY_WORDS.flatMap((words) => words.split(' ')));

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
