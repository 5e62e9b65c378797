import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { normaliseFile, sourceWith } from '../builders.js';

const HEADER = ['Name', 'Employee ID', 'Course', 'Course ID', 'Completed on', 'Score'];
const ANN = ['Ann', 'E1', 'Fire Safety', 'C1', '2024-03-01', 85];
const BOB = ['Bob', 'E2', 'Fire Safety', 'C1', '2024-03-02', 90];

/** The outcome of each line below the header, with the first issue of invalid ones. */
function fates(lines: readonly (readonly Cell[])[]) {
  return normaliseFile([HEADER, ...lines], sourceWith({ timeZone: 'UTC' }))
    .slice(1)
    .map((row) => ('issues' in row ? `${row.disposition} ${row.issues[0]?.code}` : row.disposition));
}

/** A row with these cells by column. */
function at(cells: Readonly<Record<number, Cell>>): Cell[] {
  return HEADER.map((_, index) => cells[index] ?? null);
}

describe('a total or subtotal is no data', () => {
  test.each(
    [
      'Total|Total:|TOTAL|Grand Total|Sub-Total|Subtotal|Sum|Total: 12|Total = 1,234',
      'Gesamt|Gesamtergebnis|Gesamtsumme|Summe:|Zwischensumme|Insgesamt|Gesamt (12)',
      'Total général|Sous-total|Somme',
      'Total geral|Total general|Suma',
      'Totale|Totale complessivo|Totaal|Eindtotaal|Subtotaal',
      '合計|総計|小計|總計|합계|Итого|Razem|Celkem|Toplam|Summa|Yhteensä',
      'Total: 18 attendees|Gesamt 18 Personen|*** TOTAL ***|- Summe -|=== 合計 ===',
    ].flatMap((line) => line.split('|')),
  )('%s, alone or with its number', (label) => {
    expect(
      fates([ANN, at({ 0: label }), at({ 1: label, 5: 87.5 }), at({ 3: label, 4: 12 })]).slice(1),
    ).toEqual(Array(3).fill('non-data row-total'));
  });

  test.each(
    [
      'C-100 Total|C-100 Count|C-100 Average|Fire Safety Max|Grand Count|Grand Average|Count|Average',
      'C-100 Ergebnis|C-100 Anzahl|C-100 Mittelwert|Gesamtanzahl|Anzahl|Mittelwert|Durchschnitt|Total C-100',
      'Moyenne|Nb|Promedio|Recuento|Média|Conteggio|Media|Aantal|C-100 Totaal',
      'C-100 集計|C-100 データの個数|平均|件数',
    ].flatMap((line) => line.split('|')),
  )('%s, with its number', (label) => {
    expect(
      fates([ANN, at({ 2: label, 5: 12 }), at({ 3: label, 4: '12' }), at({ 0: label, 5: '87,5 %' })]),
    ).toEqual(['record', ...Array(3).fill('non-data row-total')]);
  });
});

describe('the end and the foot of a report are no data', () => {
  test.each(
    [
      '*** END ***|--- End ---|EOF|END|End of report|*** End of Report ***|ENDE|Ende des Berichts|Fin du rapport|Fin del informe',
      'Fine del rapporto|Fim do relatório|Einde van het rapport|レポート終了|以上',
      'Confidential|CONFIDENTIAL - Academy|Strictly confidential|Vertraulich|Confidentiel|Confidencial|Riservato|Vertrouwelijk|社外秘',
      '(1 rows affected)|(12 Zeilen betroffen)|(3 lignes affectées)|2 rows selected.|(2 rows)|12 filas|3 rows in set (0.00 sec)|12 行',
      'Page 3 of 7|Seite 1 von 2|Page 1|Erstellt am 14.03.2024|Généré le 14/03/2024|Exported by Ann Lee|作成日 2024-03-14',
    ].flatMap((line) => line.split('|')),
  )('%s', (text) => {
    expect(fates([ANN, at({ 0: text }), at({ 1: text })]).slice(1)).toEqual(
      Array(2).fill('non-data row-total'),
    );
  });
});

describe('a ruler is no data', () => {
  test.each([
    ['in all cells', HEADER.map(() => '-----')],
    ['as sqlcmd draws it, as wide as its column', ['--------', '-----------', '------', '-', '--', '---']],
    ['in the first cell alone', ['=========']],
    ['in stars', ['*****', null, null]],
    ['of box characters', ['─────', '━━━━━']],
    ['that marks the end of an old file', ['\u001a']],
  ])('%s', (_, ruler) => {
    expect(fates([ruler, ANN, ruler])).toEqual(['non-data row-ruler', 'record', 'non-data row-ruler']);
  });

  test('is not taken for what the columns hold', () => {
    const header = ['Email', 'Course ID', 'Completed', 'End date'];
    const ruler = header.map((name) => '-'.repeat(name.length));
    const lines = [header, ruler, ['a@example.com', 'C1', 'Yes', '2024-03-01']];
    expect(normaliseFile(lines).at(-1)).toMatchObject({ disposition: 'record' });
  });

  test('is not a row that has dashes for "no value"', () => {
    expect(fates([at({ 0: '-', 1: '-', 3: '-' })])).toEqual(['invalid value-missing']);
  });
});

describe('notes', () => {
  test('that follow one another below a blank line are each no data, also behind one of two cells', () => {
    const notes = [
      at({ 0: 'Filters: all active users' }),
      at({ 0: 'Exported by:', 1: 'Ann Lee' }),
      at({ 1: 'All times are local' }),
      at({ 0: 'Made by the academy' }),
    ];
    expect(fates([ANN, [], ...notes]).slice(2)).toEqual([
      'non-data row-note',
      'non-data row-note',
      'non-data row-note',
      'non-data row-note',
    ]);
  });

  test('end where data begins', () => {
    expect(fates([ANN, [], at({ 0: 'Second group' }), BOB, at({ 0: 'Carl Smith' })]).slice(2)).toEqual([
      'non-data row-note',
      'record',
      'invalid value-missing',
    ]);
  });
});

describe('a line that could be a record is read as one', () => {
  test.each<[string, Cell[]]>([
    ['a learner called Summe', ['Summe', 'E1', 'Fire Safety', 'C1', '2024-03-01', 85]],
    ['a learner whose number is Total', ['Ann', 'Total', 'Fire Safety', 'C1', '2024-03-01', 85]],
    ['a course named Total Recall', ['Ann', 'E1', 'Total Recall', 'C1', '2024-03-01', 85]],
    ['a content named Total-1', [null, 'E1', null, 'Total-1', '2024-03-01', 85]],
    ['a content of stars', [null, 'E1', null, '***', '2024-03-01', 85]],
  ])('%s', (_, row) => {
    expect(fates([row])).toEqual(['record']);
  });

  test.each<[string, Cell[]]>([
    ['Count Dracula without the rest', at({ 0: 'Count Dracula' })],
    ['Max without the rest', at({ 0: 'Max' })],
    ['Total Recall without the rest', at({ 2: 'Total Recall' })],
    ['a learner beside a total', at({ 1: 'E1', 2: 'Total', 5: 12 })],
    ['Summe with a course and no time', at({ 1: 'Summe', 3: 'C1' })],
    ['Total with a course and a time', at({ 0: 'Total', 3: 'C1', 4: '2024-03-01' })],
    ['Total with a time', at({ 0: 'Total', 4: '2024-03-01' })],
    ['an end in the middle of a name', at({ 0: 'Endeavour', 3: 'C1' })],
    ['Fin in small letters', at({ 0: 'Fin' })],
  ])('%s is a row with mistakes', (_, row) => {
    expect(fates([row])[0]).toMatch(/^invalid /);
  });

  test('whatever the first words of its cells are', () => {
    const word = fc.constantFrom(
      'Total',
      'Summe',
      'Count',
      'Confidential',
      'END',
      'Page 1',
      '(1 rows affected)',
      '合計',
      'Exported by:',
      '12',
    );
    const text = fc.tuple(word, fc.constantFrom('', ' 1', ' Recall', ': 12')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, text, fc.boolean(), (name, learner, title, content, isBelowBlank) => {
        const row = [name, learner, title, content, '2024-03-01', 85];
        expect(fates([ANN, ...(isBelowBlank ? [[]] : []), row]).at(-1)).toBe('record');
        const broken = [name, learner, title, content, '2024-03-01', 'many'];
        expect(fates([ANN, ...(isBelowBlank ? [[]] : []), broken]).at(-1)).toBe('invalid score-invalid');
      }),
    );
  });
});
