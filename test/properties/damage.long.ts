import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAs } from '../support/encode-as.js';
import { samples } from '../support/samples.js';
import {
  anyTable,
  csvTable,
  dateText,
  serialOf,
  type TableCell,
  withRow,
  workbookTable,
} from './damaged-table.js';
import { faults, holds, refusal } from './read-against-truth.js';

const WORDS = ['Brandschutz', 'Führung', 'Santé', 'SAFE', 'R&D'];

const delimiters = fc.constantFrom(',', ';', '\t');

describe('of a sound table', () => {
  it('every row is what it says, as text and as a workbook', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable(WORDS), delimiters, async (table, delimiter) => {
        for (const file of [csvTable(table, delimiter), workbookTable(table)]) {
          expect(await faults(file, table)).toEqual([]);
          expect(await refusal(file)).toBeNull();
        }
      }),
      { numRuns: samples(60) },
    );
  });
});

describe('no damage makes a wrong record, and every lost row is reported:', () => {
  it('a cell that is missing', async () => {
    await holds(
      fc.tuple(anyTable(WORDS), fc.nat(), fc.nat(), delimiters),
      ([table, row, column, delimiter]) => {
        const damaged = withRow(table, row % table.rows.length, (cells) =>
          cells.filter((_, at) => at !== column % cells.length),
        );
        return [csvTable(damaged, delimiter), table];
      },
    );
  });

  it('a cell too many, blank or not', async () => {
    const more = fc.constantFrom('', ' ', 'x', '7');
    await holds(
      fc.tuple(anyTable(WORDS), fc.nat(), fc.nat(), more, delimiters),
      ([table, row, column, cell, delimiter]) => {
        const damaged = withRow(table, row % table.rows.length, (cells) =>
          cells.toSpliced(column % (cells.length + 1), 0, cell),
        );
        return [csvTable(damaged, delimiter), table];
      },
    );
  });

  it('a date with day and month the other way round', async () => {
    await holds(
      fc.tuple(
        anyTable(WORDS),
        fc.integer({ min: 13, max: 28 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
      ),
      ([table, day, month, isText]) => {
        const at = table.columns.indexOf('Completed on');
        const damaged = withRow(table, 1, (cells) => cells.with(at, dateText(table.dates, month, day)));
        return [isText ? csvTable(damaged, ',') : workbookTable(damaged), table];
      },
    );
  });

  it('dates that a spreadsheet of the other order could read, and those that it could not', async () => {
    await holds(
      fc.tuple(anyTable(WORDS, ['day/month', 'month/day', 'day.month']), fc.boolean()),
      ([table, isFirst]) => {
        const at = table.columns.indexOf('Completed on');
        // The table's first row has a day that is no month.
        const rows = table.rows.map((cells) => {
          const [one, two] = String(cells[at]).split(/[./]/).map(Number) as [number, number];
          const [day, month] = table.dates === 'month/day' ? [one, two] : [two, one];
          return month > 12 ? cells : cells.with(at, { serial: serialOf(day, month) });
        });
        const damaged = { ...table, rows: isFirst ? rows : [...rows.slice(1), ...rows.slice(0, 1)] };
        return [workbookTable(damaged), table];
      },
    );
  });

  it('dates of two separators, of which one proves what the other one is not', async () => {
    await holds(fc.tuple(anyTable(WORDS, ['month/day']), fc.nat(), fc.boolean()), ([table, from, isText]) => {
      const at = table.columns.indexOf('Completed on');
      const rows = table.rows.map((cells, row) =>
        // The first row stays, which proves that the month is first.
        row > from % table.rows.length && row > 0 ? cells.with(at, asDayFirst(String(cells[at]))) : cells,
      );
      const damaged = { ...table, rows };
      return [isText ? csvTable(damaged, ',') : workbookTable(damaged), table];
    });
  });

  it('a byte less in a character of several', async () => {
    await holds(fc.tuple(anyTable(WORDS), fc.nat(), fc.boolean()), ([table, which, isEnd]) => {
      const bytes = Buffer.from(csvTable(table, ','));
      // A file that ends before a character isn't cut within one.
      const several = [...bytes.keys()].filter((at) => isOfSeveral(bytes[at] as number, isEnd));
      const at = several[which % several.length];
      if (at === undefined) return [bytes, table];
      const behind = isEnd ? Buffer.alloc(0) : bytes.subarray(at + 1);
      return [Buffer.concat([bytes.subarray(0, at), behind]), table, isEnd];
    });
  });

  it('a character of another encoding among those of UTF-8', async () => {
    await holds(fc.tuple(anyTable(WORDS), fc.nat()), ([table, which]) => {
      const parts = csvTable(table, ',').split(/(?<=ü|é)/);
      const at = which % parts.length;
      const bytes = parts.map((part, n) => Buffer.from(part, n === at ? 'latin1' : 'utf8'));
      // One alone among plain letters is a text of that encoding.
      return [
        Buffer.concat(parts.length > 4 ? bytes : bytes.map(() => Buffer.alloc(0))),
        table,
        parts.length <= 4,
      ];
    });
  });

  it.each([
    ['windows-1251', ['Безопасность', 'Обучение', 'Курс']],
    ['koi8-r', ['Безопасность', 'Обучение', 'Курс']],
    ['iso-8859-7', ['Ασφάλεια', 'Μάθημα']],
    ['windows-1250', ['Łączność', 'Książka', 'Ćwiczenia dźwigów']],
    ['iso-8859-2', ['Školení', 'Łączność', 'Žádost']],
    ['windows-1254', ['İş güvenliği', 'Başarı']],
    ['shift_jis', ['安全教育', 'コンプライアンス研修']],
    ['gb18030', ['安全培训', '新员工入职培训']],
    ['big5', ['安全訓練', '新進人員訓練']],
    ['euc-kr', ['안전교육', '정보보호교육']],
    ['windows-1252', ['Führung', 'Santé au travail', 'Größe', 'Señalización', 'Håndtering']],
  ])('another encoding, %s', async (encoding, words) => {
    await holds(anyTable(words), (table) => [encodeAs(encoding, csvTable(table, ',')), table], 15);
  });

  it('a header among the rows', async () => {
    await holds(fc.tuple(anyTable(WORDS), fc.nat(), fc.boolean()), ([table, at, isText]) => {
      const headerAt = 1 + (at % table.rows.length);
      return [isText ? csvTable(table, ',', headerAt) : workbookTable(table, headerAt), table];
    });
  });

  it('a formula without a saved value', async () => {
    await holds(
      fc.tuple(anyTable(WORDS), fc.nat(), fc.nat(), fc.boolean()),
      ([table, row, column, isAll]) => {
        const formula: TableCell = { formula: 'Raw!A2' };
        const damaged = withRow(table, row % table.rows.length, (cells) =>
          cells.map((cell, at) => (isAll || at === column % cells.length ? formula : cell)),
        );
        return [workbookTable(damaged), table];
      },
    );
  });

  it('a formula in place of each value of a column', async () => {
    await holds(fc.tuple(anyTable(WORDS), fc.nat()), ([table, column]) => {
      const at = column % table.columns.length;
      const rows = table.rows.map((cells) => cells.with(at, { formula: 'Raw!A2' }));
      return [workbookTable({ ...table, rows }), table];
    });
  });
});

/** True for a byte of a character of several; with `isBehindFirst` not for its first one. */
function isOfSeveral(byte: number, isBehindFirst: boolean): boolean {
  return byte >= 0x80 && (byte < 0xc0 || !isBehindFirst);
}

function asDayFirst(text: string): string {
  const [month, day, year] = text.split('/');
  return `${day}.${month}.${year}`;
}
