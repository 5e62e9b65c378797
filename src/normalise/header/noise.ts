import { type Cell, isBlankCell, type Row } from '../../domain/row.js';

/** The columns that make a record. */
export interface RecordColumns {
  readonly learners: readonly number[];
  readonly times: readonly number[];
  /** These columns and all others that a record needs. */
  readonly required: readonly number[];
}

/**
 * True for a total or a footer, in the languages of spreadsheets and learning systems. Asked about rows that turned out to be no
 * records; a record with mistakes must not be taken for noise. A record names its learner and most of its required values: a row
 * that does is no noise, whatever it begins with.
 */
export function isTotalOrFooter({ cells }: Row, columns: RecordColumns): boolean {
  const at = cells.findIndex((cell) => typeof cell === 'string' && !isNumeric(cell) && !isBlankCell(cell));
  if (at === -1) return false;
  const others = cells.flatMap((cell, index) => (index === at || isBlankCell(cell) ? [] : [index]));
  if (!lacksRecord(at, others, columns)) return false;
  const label = labelOf(cells[at] as string);
  if (FOOTER.test(label.text)) return true;
  if (others.length === 0 && (ROW_COUNT.test(label.text) || isEnd(label))) return true;
  const areNumbers = others.every((index) =>
    isAggregate(cells[index] ?? null, columns.times.includes(index)),
  );
  return areNumbers && isTotal(label.name, label.hasNumber || others.length > 0);
}

/**
 * True for a line drawn of dashes, equals signs or the like, in one cell or in all (sqlcmd writes one below the header), and for
 * the sign that once ended files (Ctrl-Z). Asked about every row: the first character nearly always decides.
 */
export function isRuler(cells: readonly Cell[]): boolean {
  const first = cells[0];
  if (typeof first === 'number' || (typeof first === 'string' && isWordCode(first.charCodeAt(0))))
    return false;
  let isLong = false;
  for (const cell of cells) {
    if (isBlankCell(cell)) continue;
    if (typeof cell !== 'string' || !RULER.test(cell)) return false;
    isLong ||= cell.trim().length >= SHORTEST_RULER || cell.includes(CTRL_Z);
  }
  return isLong;
}

const CTRL_Z = '\u001a';
/** One or two dashes stand for "no value". */
const SHORTEST_RULER = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Ctrl-Z is what is looked for.
const RULER = /^(?:[-=_*~#+|.‐-―─-╿\s]+|\s*\u001a\s*)$/u;

/** A letter or digit of ASCII. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** A row may be a record if it names a learner beside its label, or has half of the other values that a record needs. */
function lacksRecord(at: number, others: readonly number[], { learners, required }: RecordColumns): boolean {
  if (learners.some((index) => others.includes(index))) return false;
  const needed = required.filter((index) => index !== at);
  const filled = needed.filter((index) => others.includes(index)).length;
  return needed.length > 0 && filled * 2 < required.length;
}

interface Label {
  /** In lower case, without decoration. */
  readonly text: string;
  /** Without the number at its end too. */
  readonly name: string;
  readonly hasNumber: boolean;
  /** Between stars or dashes, or in capitals, which marks an end. */
  readonly isMarked: boolean;
}

const DECORATION = /^[\s*=#~<>_\-–—|.:;!([\]]+|[\s*=#~<>_\-–—|.:;!)[\]]+$/gu;

function labelOf(cell: string): Label {
  const whole = cell.slice(0, LONGEST_LABEL).normalize('NFKC').replace(/\s+/g, ' ').trim();
  const bare = whole.replace(DECORATION, '');
  const number = /^(.*\p{L}\D*?)[\s:=([]+\d[\d.,'’\s]*%?$/u.exec(bare);
  return {
    text: bare.toLowerCase(),
    name: (number?.[1] ?? bare).replace(DECORATION, '').toLowerCase(),
    hasNumber: number !== null,
    isMarked: /^[*=#~<_\-–—[]/.test(whole) || (bare === bare.toUpperCase() && bare !== bare.toLowerCase()),
  };
}

/** Longer is prose. */
const LONGEST_LABEL = 200;

/** Sums; these words mean a total even without a number. */
const TOTALS = words(`
  total|totals|grand total|grand totals|sub total|subtotal|sub-total|subtotals|sum|overall total|total general
  gesamt|gesamtsumme|gesamtergebnis|gesamtanzahl|gesamtzahl|insgesamt|summe|zwischensumme|teilsumme|teilergebnis|endsumme
  total général|sous-total|sous total|somme|totaux
  total geral|total general|subtotal|suma|suma total|soma
  totale|totale generale|totale complessivo|subtotale|somma
  totaal|eindtotaal|subtotaal|som|algemeen totaal
  合計|総計|小計|総合計|集計|総数|合计|总计|小计|總計|合計:|합계|총합계|총계|소계
  suma końcowa|razem|celkem|součet|celkový součet|итого|всего|общий итог|сумма|toplam|genel toplam|ara toplam
  summa|totalt|totalsumma|delsumma|i alt|hovedtotal|sum totalt|yhteensä|loppusumma|σύνολο|összesen|végösszeg`);

/**
 * Other results that spreadsheets compute from a column. They are ordinary words and names as well: only a number beside them
 * makes a total.
 */
const AGGREGATES = words(`
  count|counts|average|avg|mean|median|max|maximum|min|minimum|product|stddev|stdev|var|number
  anzahl|mittelwert|durchschnitt|ergebnis|produkt
  nombre|nb|moyenne|médiane|produit|nbval
  cuenta|recuento|promedio|media|máximo|mínimo|máx|mín|conteo
  contagem|contar|média|conteggio|massimo|minimo|numero
  aantal|gemiddelde|件数|個数|データの個数|平均|最大|最小|平均值|计数|평균|개수
  liczba|średnia|počet|průměr|количество|среднее|sayı|ortalama|antal|medel|genomsnit|gennemsnit|gjennomsnitt|keskiarvo`);

/** Words in front of a total: "Grand Count". */
const OVERALL = /^(?:grand|overall|gesamt|general) ?/u;

/** Words for the things that a total counts or sums. */
const COUNTED =
  /^(?:of|for|by|per|number|rows?|records?|users?|learners?|employees?|participants?|completions?|courses?|entries|hours?|minutes?|score|points|count|time|der|die|des|für|von|je|zeilen|einträge|datensätze|teilnehmer|kurse|stunden|de|du|des|del|d'|par|por|lignes?|filas|registros|di|per|righe|van|voor|rijen|pour|para)(?![\p{L}\d])/u;

function isTotal(text: string, hasNumber: boolean): boolean {
  if (TOTALS.has(text)) return true;
  const overall = text.replace(OVERALL, '');
  if (AGGREGATES.has(overall) && (hasNumber || overall !== text)) return true;
  const first = text.indexOf(' ');
  if (first === -1) return false;
  const last = text.slice(text.lastIndexOf(' ') + 1);
  // "C-100 Total", "C-100 Anzahl": names of group subtotals, always with their number.
  if (hasNumber && (TOTALS.has(last) || AGGREGATES.has(last))) return true;
  const rest = text.slice(first + 1);
  const head = text.slice(0, first);
  // "Total: 18 attendees" and "Total 18 attendees" name the things counted.
  if (TOTALS.has(head.replace(/[:=]$/, '')) && (/[:=]$/.test(head) || /^[(=]?\d/.test(rest))) return true;
  if (TOTALS.has(head)) return hasNumber || COUNTED.test(rest);
  return hasNumber && AGGREGATES.has(head) && COUNTED.test(rest);
}

/** A number that a formula over a column may return; in a column of times, no number that may be a time. */
function isAggregate(cell: Cell, isTime: boolean): boolean {
  if (typeof cell === 'number') return true;
  if (typeof cell === 'string') {
    if (isTime) return /^\s*\d{1,6}\s*$/.test(cell);
    return isNumeric(cell) || AGGREGATES.has(cell.trim().toLowerCase());
  }
  return !isTime && typeof cell === 'object' && cell !== null && ('percent' in cell || 'error' in cell);
}

function isNumeric(text: string): boolean {
  return /^\s*[-+]?\d[\d.,:'’\s/]*%?\s*$/.test(text);
}

/** "(12 rows affected)", "12 Zeilen", "3 rows in set (0.00 sec)": what a database prints below a result. */
const ROW_COUNT =
  /^\d[\d.,]*\s*(?:rows?|records?|lines?|entries|row\(s\)|record\(s\)|zeilen?|zeile\(n\)|datensätze?|einträge|lignes?|ligne\(s\)|enregistrements?|filas?|fila\(s\)|registros?|líneas?|righ[ea]|record|linhas?|rijen|rij|regels?|行|件|строк\p{L}*|wierszy|rader|satır)(?![\p{L}\d]).{0,60}$/u;

/** Words that begin a report's remarks about itself. */
const FOOTER = new RegExp(
  `^(?:${[
    'report (?:generated|created|printed|run|date)|generated (?:on|by|at)|(?:exported|printed|created) (?:on|by|at)|exported$|as of \\d',
    '(?:page|seite|página|pagina|strona|страница|side|sida) \\d+|ページ',
    '(?:end|ende) (?:of|des|der) |berichtsende|listenende|dateiende|fin d[ue]l? |fine d\\p{L}* |fim d[oa] |eind[e]? van |einde rapport|koniec raportu|конец отч|レポート(?:の)?終|報告終|以上$',
    '(?:strictly |streng |strikt )?(?:company )?(?:confidential|vertraulich|vertrouwelijk|riservato|confidenziale|confidentiel(?:le)?|confidencial|poufne|конфиденциально)(?![\\p{L}])|機密|社外秘|部外秘',
    '(?:for )?internal use only|nur (?:für den internen|zum internen) gebrauch|usage interne|uso interno|intern gebruik',
    'bericht (?:erstellt|vom)|erstellt (?:am|von|um)|generiert (?:am|von)|exportiert (?:am|von)|gedruckt (?:am|von)|rapport (?:généré|créé|gegenereerd)|généré (?:le|par)|exporté (?:le|par)|imprimé (?:le|par)',
    'generado (?:el|por)|exportado (?:el|em|por)|informe generado|gerado (?:em|por)|relatório gerado|generato (?:il|da)|esportato (?:il|da)|gegenereerd (?:op|door)|geëxporteerd (?:op|door)|作成日|出力日|発行日',
  ].join('|')})`,
  'u',
);

/** Ordinary words, and in some places a name: an end only where they are marked as one. */
const ENDS = words('end|ende|fin|fine|fim|einde|eof|end of file|終|終了|終わり|конец|koniec|slut|loppu');

function isEnd({ text, isMarked }: Label): boolean {
  return isMarked && ENDS.has(text);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/[|\n]/).map((word) => word.trim()));
}
