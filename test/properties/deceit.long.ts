import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samples } from '../support/samples.js';
import {
  anyTable,
  csvTable,
  type Table,
  type TableCell,
  withColumn,
  workbookTable,
} from './damaged-table.js';
import { faults, holds } from './read-against-truth.js';

const WORDS = ['Brandschutz', 'Führung', 'Santé', 'SAFE', 'R&D'];

describe('no deceit makes a wrong record, and every lost row is reported:', () => {
  it('an unclosed quote, and one further down', async () => {
    const stray = fc.constantFrom('"Ladder, 6 ft"" (new)', '"6 ft" ladder', '"Basics', '"a""');
    const end = fc.constantFrom('Pole "7"', '7"', '"', 'x" y');
    await holds(
      fc.tuple(
        anyTable(WORDS),
        fc.nat(),
        fc.nat(),
        stray,
        end,
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
      ),
      ([table, row, gap, opening, closing, delimiter, isWindows]) => {
        const at = table.columns.indexOf('Course Name');
        const from = row % table.rows.length;
        const to = from + 1 + (gap % table.rows.length);
        const rows = table.rows.map((cells, index) =>
          index === from ? cells.with(at, 'OPENS') : index === to ? cells.with(at, 'CLOSES') : cells,
        );
        const text = csvTable({ ...table, rows }, delimiter)
          .replace('OPENS', opening)
          .replace('CLOSES', closing);
        return [isWindows ? text.replaceAll('\n', '\r\n') : text, table];
      },
    );
  });

  it('an identifier within quotes that close before it ends', async () => {
    const quoted = fc.constantFrom('"Intro "Basics" A"', '"ID"x', '"ID" x', '""ID""', '"ID""x');
    await holds(fc.tuple(anyTable(WORDS), fc.nat(), quoted), ([table, row, written]) => {
      const at = table.columns.indexOf('Course ID');
      const rows = table.rows.map((cells, index) =>
        index === row % table.rows.length ? cells.with(at, 'WRITTEN') : cells,
      );
      return [csvTable({ ...table, rows }, ',').replace('WRITTEN', written), table];
    });
  });

  it('a footer, a total or a note that would prove the order of dates', async () => {
    const label = fc.constantFrom('Total', 'End of report', 'Exported', 'Printed by hand', '');
    await holds(
      fc.tuple(
        anyTable(WORDS, ['day.month', 'day/month', 'month/day']),
        label,
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
      ),
      ([drawn, word, place, isDayFirst, isText]) => {
        const at = drawn.columns.indexOf('Completed on');
        const mark = drawn.dates === 'day.month' ? '.' : '/';
        const rows = drawn.rows.filter((cells) => isOpen(String(cells[at]), mark));
        const date = (isDayFirst ? ['31', '12', '2024'] : ['12', '31', '2024']).join(mark);
        const other = place % drawn.columns.length;
        const footer = drawn.columns.map((_, n) => (n === at ? date : n === other ? word : ''));
        const table = { ...drawn, rows };
        const file = { ...drawn, rows: [...rows, footer] };
        return [isText ? csvTable(file, ',') : workbookTable(file), table];
      },
    );
  });

  it('a total that would prove the scale of scores', async () => {
    await holds(
      fc.tuple(anyTable(WORDS), fc.integer({ min: 1, max: 10 }), fc.boolean()),
      ([drawn, top, isText]) => {
        const at = drawn.columns.indexOf('Score');
        const small = (cell: TableCell | undefined) => (typeof cell === 'number' ? 1 + (cell % top) : '');
        const rows = drawn.rows.map((cells) => cells.with(at, small(cells[at])));
        const total = drawn.columns.map((_, n) => (n === at ? 85 : n === 0 ? 'Average' : ''));
        // The scale of a score is unknown, so no record may have one.
        const truth = new Map(
          [...drawn.truth].map(([learner, fields]) => [learner, fields && withoutScore(fields)]),
        );
        const isScored = rows.filter((cells) => cells[at] !== '').length > 2;
        const table = isScored ? { ...drawn, rows, truth } : drawn;
        const file = isScored ? { ...table, rows: [...rows, total] } : table;
        return [isText ? csvTable(file, ',') : workbookTable(file), table];
      },
    );
  });

  it.each<[header: string, taken: readonly TableCell[], left: readonly TableCell[]]>([
    ['Progress', ['40%', 0, '0 %'], ['100%', 100, '100 %']],
    ['% Complete', [40, 0, 99], [100]],
    ['Withdrawn', ['Yes', 'true', 'Y'], ['No', '', 'false']],
    ['Revoked', ['Yes', '2024-05-01'], ['', 'No']],
    ['Deleted', ['true', 1], ['false', 0]],
    ['Void', ['x', 'Yes'], ['']],
    ['Is Test', ['true', 'Yes'], ['false', 'No']],
    ['Certificate Status', ['Revoked', 'Expired and revoked'], ['Active', 'Valid']],
    ['Outcome', ['Failed', 'Incomplete'], ['Passed']],
  ])('a second column that says otherwise: %s', async (header, takenBack, fine) => {
    const cell = fc.oneof(
      fc.constantFrom(...takenBack).map((value) => ({ value, isBack: true })),
      fc.constantFrom(...fine).map((value) => ({ value, isBack: false })),
    );
    await holds(
      fc.tuple(anyTable(WORDS), fc.array(cell, { minLength: 25, maxLength: 25 }), fc.nat(), fc.boolean()),
      ([drawn, cells, place, isText]) => {
        const email = drawn.columns.indexOf('Email');
        const truth = new Map(drawn.truth);
        for (const [n, row] of drawn.rows.entries()) {
          if (cells[n]?.isBack) truth.set(String(row[email]), null);
        }
        const file = withColumn(drawn, place, header, (n) => cells[n]?.value ?? '');
        const table = { ...drawn, truth };
        return [isText ? csvTable(file, ',') : workbookTable(file), table];
      },
      30,
    );
  });

  it.each<[header: string, zones: readonly (readonly [text: string, hours: number])[]]>([
    [
      'UTC Offset',
      [
        ['+02:00', 2],
        ['-05:00', -5],
        ['+00:00', 0],
      ],
    ],
    [
      'Time Zone',
      [
        ['Asia/Tokyo', 9],
        ['UTC', 0],
        ['Asia/Dubai', 4],
      ],
    ],
    [
      'TZ',
      [
        ['UTC+3', 3],
        ['UTC', 0],
        ['Asia/Kolkata', 5.5],
      ],
    ],
    [
      'Zone',
      [
        ['JST', 9],
        ['UTC', 0],
      ],
    ],
  ])('a column that shifts the times: %s', async (header, zones) => {
    await holds(
      fc.tuple(
        anyTable(WORDS, ['iso']),
        fc.array(fc.constantFrom(...zones), { minLength: 25, maxLength: 25 }),
        fc.nat(),
        fc.boolean(),
      ),
      ([drawn, drawnZones, place, isText]) => {
        const [at, email] = [drawn.columns.indexOf('Completed on'), drawn.columns.indexOf('Email')];
        const truth = new Map(drawn.truth);
        const rows = drawn.rows.map((cells, n) => {
          const local = `${cells[at]} 12:00`;
          const fields = truth.get(String(cells[email]));
          const utc = Date.parse(`${cells[at]}T12:00:00Z`) - (drawnZones[n]?.[1] ?? 0) * 3_600_000;
          if (fields)
            truth.set(String(cells[email]), { ...fields, 'completed-at': new Date(utc).toISOString() });
          return cells.with(at, local);
        });
        const table = { ...drawn, rows, truth };
        const file = withColumn(table, place, header, (n) => drawnZones[n]?.[0] ?? '');
        return [isText ? csvTable(file, ',') : workbookTable(file), table];
      },
      30,
    );
  });

  it('a note on the zone of all times', async () => {
    const note = fc.constantFrom(
      ['All times are in JST (UTC+9)', 9],
      ['Times are UTC+02:00', 2],
      ['Time zone: Asia/Tokyo', 9],
    ) as fc.Arbitrary<[string, number]>;
    await holds(
      fc.tuple(anyTable(WORDS, ['iso']), note, fc.boolean(), fc.boolean()),
      ([drawn, [text, hours], isAbove, isText]) => {
        const at = drawn.columns.indexOf('Completed on');
        const rows = drawn.rows.map((cells) => cells.with(at, `${cells[at]} 12:00`));
        const truth = new Map(
          [...drawn.truth].map(([learner, fields]) => {
            const utc = Date.parse(String(fields?.['completed-at'])) + (12 - hours) * 3_600_000;
            return [learner, fields && { ...fields, 'completed-at': new Date(utc).toISOString() }];
          }),
        );
        const table = { ...drawn, rows, truth };
        const lines = drawn.columns.map((_, n) => (n === 0 ? text : ''));
        const file = { ...table, rows: isAbove ? [lines, ...rows] : [...rows, lines] };
        const headerAt = isAbove ? 1 : 0;
        return [isText ? csvTable(file, ',', headerAt) : workbookTable(file, headerAt), table];
      },
    );
  });

  it('dates with the day between year and month', async () => {
    await holds(fc.tuple(anyTable(WORDS, ['iso']), fc.boolean()), ([drawn, isText]) => {
      const at = drawn.columns.indexOf('Completed on');
      const rows = drawn.rows.map((cells) => {
        const [year, month, day] = String(cells[at]).split('-');
        return cells.with(at, `${year}-${day}-${month}`);
      });
      const table = { ...drawn, rows };
      return [isText ? csvTable(table, ',') : workbookTable(table), table];
    });
  });
});

describe('plain files are read', () => {
  it('a column beside the status that says the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable(WORDS), async (table) => {
        for (const [header, value] of [
          ['Withdrawn', 'No'],
          ['Is Test', 'false'],
          ['Certificate Status', 'Active'],
        ] as const) {
          expect(
            await faults(
              csvTable(
                withColumn(table, 3, header, () => value),
                ',',
              ),
              table,
            ),
          ).toEqual([]);
        }
      }),
      { numRuns: samples(20) },
    );
  });
});

/** True for a date whose day could be either number. */
function isOpen(text: string, mark: string): boolean {
  const [one, two] = text.split(mark).map(Number) as [number, number];
  return one <= 12 && two <= 12 && one !== two;
}

function withoutScore({ percentile: _, ...fields }: NonNullable<ReturnType<Table['truth']['get']>>) {
  return fields;
}
