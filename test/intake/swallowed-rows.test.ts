import { describe, expect, it } from 'vitest';
import { allRows, openContent, openWorkbookOf } from '../support/open-content.js';

const HEADER = 'Email,Course ID,Title,Completed,Score\n';
const OPENS = 'a@example.com,C-1,"Ladder, 6 ft"" (new),2025-03-01,80\n';
const CLOSES = 'b@example.com,C-2,Pole "7",2025-03-02,81\n';

describe('a quote that swallows rows', () => {
  it.each([
    ['hundreds of rows', HEADER + rows(20) + OPENS + rows(500) + CLOSES + rows(20), 22, 523, 3],
    ['the next row alone', HEADER + rows(5) + OPENS + CLOSES + rows(5), 7, 8, 3],
    [
      'rows up to a quote that ends a cell',
      `${HEADER}${rows(5)}${OPENS}${rows(3)}b@example.com,C-2,Pole 7",2025-03-02,81\n${rows(5)}`,
      7,
      11,
      3,
    ],
    [
      'from the first cell on',
      `${HEADER}"a@example.com,C-1,T,2025-03-01,80\n${rows(3)}b@example.com",C-2,T,2025-03-02,81\n${rows(5)}`,
      2,
      6,
      1,
    ],
    [
      'from the last cell on',
      'Email,Completed,Title\na@x.com,2025-03-01,"Big\nb@x.com,2025-03-02,T\nc@x.com,2025-03-03,Pole 7"\nd@x.com,2025-03-04,T\n',
      2,
      4,
      3,
    ],
    ['nearly the whole file', HEADER + OPENS + rows(2000) + CLOSES, 2, 2003, 3],
    [
      'rows with empty cells in quotes',
      `${HEADER}${rows(3)}${OPENS}c@example.com,C-1,"",2025-03-01,5\nd@example.com,C-1,"",2025-03-01,5\n${CLOSES}`,
      5,
      8,
      3,
    ],
    [
      'from the header on',
      `Email,Completed,"Course name""\na@x.com,2025-03-01,T\nb@x.com,2025-03-02,T\nc@x.com,2025-03-03,Pole 7"\n${'d@x.com,2025-03-04,T\n'.repeat(9)}`,
      1,
      4,
      3,
    ],
    [
      'rows of numbers alone',
      'Person;Course;Note\n101;201;T\n105;204;"Big\n102;202;T\n103;203;T\n109;200;Pole 7"\n104;204;T\n',
      3,
      6,
      3,
    ],
    [
      'rows whose column is seldom filled',
      `Email,Note,Manager,Completed\n${'a@x.com,,m@x.com,2025-03-04\n'.repeat(9)}a@x.com,"6 ft"" x,,2025-03-01\n${'b@x.com,,m@x.com,2025-03-02\n'.repeat(3)}c@x.com,7",,2025-03-03\n`,
      11,
      15,
      2,
    ],
    [
      'rows that end with CR LF',
      (HEADER + rows(5) + OPENS + rows(4) + CLOSES + rows(5)).replaceAll('\n', '\r\n'),
      7,
      12,
      3,
    ],
    [
      'rows that end with a mark',
      (HEADER + rows(5) + OPENS + rows(4) + CLOSES + rows(5)).replaceAll('\n', '!##!\n'),
      7,
      12,
      3,
    ],
  ])('is refused with both lines: %s', async (_, content, opens, closes, field) => {
    await expect(openContent(content).then(allRows)).rejects.toMatchObject({
      message: `line ${opens}: the quote that opens field ${field} ends only in line ${closes}, and the lines between are rows of their own.`,
      hint: `Close the quote in line ${opens}, or double it where it belongs to the text. Where quotes are text in all of the file, set quote: none for the source; where a backslash precedes them, have the file exported with doubled quotes.`,
    });
  });

  it.each([
    [
      'comments',
      'Email,Completed,Comment\na@x.com,2025-01-01,"Hello Ann,\nthanks, a lot, bye"\nb@x.com,2025-01-02,"See:\nname, date, x\nBob, 2025-01-01, y\n"\n',
      3,
    ],
    [
      'comments in the first cell',
      'Comment,Email,Completed\n"Hello\nmore, text",a@x.com,2025-01-01\n"Hello\nmore",a@x.com,2025-01-01\n',
      3,
    ],
    [
      'postal addresses',
      'Email,Address,Completed\na@x.com,"Main St 5\n12345 Town, Region\nUK",2025-01-01\n',
      2,
    ],
    [
      'pasted tables with other columns',
      `${HEADER}a@example.com,C-1,"Name,Day,Points,x,y\nAnn,2025-01-01,5,a,b\nBob,2025-01-02,6,a,b",2025-03-01,80\n`,
      2,
    ],
    [
      'lists of addresses and days',
      `${HEADER}a@example.com,C-1,"asked b@example.com, C-2\non 2025-01-01, 80\nand c@example.com, C-3",2025-03-01,80\n`,
      2,
    ],
    ['a header with line ends', 'Email,"Course\nID","Completed\n(UTC), day"\na@x.com,C-1,2025-01-01\n', 2],
  ])('is not seen in %s', async (_, content, count) => {
    await expect(openContent(content).then(allRows)).resolves.toHaveLength(count);
  });

  it('is refused in a sheet that was made of such a text', async () => {
    const swallowed = `Ladder, 6 ft" (new),2025-03-01,80\n${rows(3)}b@example.com,C-2,Pole 7`;
    const opened = await openWorkbookOf({
      sheets: [
        {
          name: 'Export',
          rows: [
            sheetRow(1, ['Email', 'Course ID', 'Title', 'Completed', 'Score']),
            sheetRow(2, ['a@example.com', 'C-1', swallowed, '2025-03-02', '81']),
          ].join(''),
        },
      ],
    });
    await expect(allRows(opened)).rejects.toMatchObject({
      message: 'cell C2 of the sheet "Export" holds 5 lines that are rows of the table themselves.',
    });
  });
});

/** Rows of data. */
function rows(count: number): string {
  return Array.from(
    { length: count },
    (_, i) =>
      `l${i}@example.com,C-${i % 7},Title ${i},2025-03-${String((i % 28) + 1).padStart(2, '0')},${60 + (i % 40)}\n`,
  ).join('');
}

function sheetRow(line: number, cells: readonly string[]): string {
  const written = cells.map(
    (text, i) => `<c r="${'ABCDE'[i]}${line}" t="inlineStr"><is><t>${text}</t></is></c>`,
  );
  return `<row r="${line}">${written.join('')}</row>`;
}
