import { describe, expect, it } from 'vitest';
import { allRows, lines, openContent } from '../../support/open-content.js';

const MIB = 1024 * 1024;

describe('readCsv', () => {
  it.each([
    [
      'keeps text as is',
      'a,b\n 007 ,1e5\n',
      [
        [1, ['a', 'b']],
        [2, [' 007 ', '1e5']],
      ],
    ],
    [
      'keeps empty cells',
      'a,,c\n,,\n',
      [
        [1, ['a', '', 'c']],
        [2, ['', '', '']],
      ],
    ],
    [
      'keeps equal headers',
      'a,a,a\n1,2,3\n',
      [
        [1, ['a', 'a', 'a']],
        [2, ['1', '2', '3']],
      ],
    ],
    [
      'keeps names that mean something to JavaScript',
      '__proto__,constructor\n1,2\n',
      [
        [1, ['__proto__', 'constructor']],
        [2, ['1', '2']],
      ],
    ],
    [
      'keeps short and long rows',
      'a,b\n1\n1,2,3\n',
      [
        [1, ['a', 'b']],
        [2, ['1']],
        [3, ['1', '2', '3']],
      ],
    ],
    [
      'gives blank lines as rows without cells',
      'a,b\n\n\n1,2\n\n',
      [
        [1, ['a', 'b']],
        [2, []],
        [3, []],
        [4, ['1', '2']],
        [5, []],
      ],
    ],
    [
      'needs no line end at the end',
      'a,b\n1,2',
      [
        [1, ['a', 'b']],
        [2, ['1', '2']],
      ],
    ],
    [
      'keeps an empty last cell at the end',
      'a,b\n1,',
      [
        [1, ['a', 'b']],
        [2, ['1', '']],
      ],
    ],
    [
      'ends a record at any line end',
      'a,b\r\nc,d\ne,f\rg,h',
      [
        [1, ['a', 'b']],
        [2, ['c', 'd']],
        [3, ['e', 'f']],
        [4, ['g', 'h']],
      ],
    ],
    [
      'unquotes',
      '"a","b ""c"""\n"1,5",""\n',
      [
        [1, ['a', 'b "c"']],
        [2, ['1,5', '']],
      ],
    ],
    [
      'keeps a quote inside a field',
      'a,b\n5" screen,the "big" one\n',
      [
        [1, ['a', 'b']],
        [2, ['5" screen', 'the "big" one']],
      ],
    ],
    [
      'reads a field with text behind its closing quote as Excel does',
      'a,b\n"Excel" for "all",1\n',
      [
        [1, ['a', 'b']],
        [2, ['Excel for "all"', '1']],
      ],
    ],
    [
      'reads doubled quotes before text behind the closing one as Excel does',
      'a,b\n"x ""y"" z"w,"1"2\n',
      [
        [1, ['a', 'b']],
        [2, ['x "y" zw', '12']],
      ],
    ],
    [
      'leaves text behind a closing quote as it is written where the row has another number of cells than most',
      'a,b,c\n1,2,3\n"x,"y,z\n',
      [
        [1, ['a', 'b', 'c']],
        [2, ['1', '2', '3']],
        [3, ['"x,"y', 'z']],
      ],
    ],
    [
      'takes quotes off a field that begins with them, and leaves those with a space before to who reads the value',
      'a,b,c\n"x" , "y",\t"z ""1"""\t\n',
      [
        [1, ['a', 'b', 'c']],
        [2, ['x ', ' "y"', '\t"z ""1"""\t']],
      ],
    ],
    [
      'keeps the quotes that belong to the text',
      'a\n"""x"""\n "x" y\n',
      [
        [1, ['a']],
        [2, ['"x"']],
        [3, [' "x" y']],
      ],
    ],
    [
      'counts the lines of a quoted LF',
      'a,b\n"1\n2\n3",4\n5,6\n',
      [
        [1, ['a', 'b']],
        [2, ['1\n2\n3', '4']],
        [5, ['5', '6']],
      ],
    ],
    [
      'counts the lines of a quoted CRLF once each',
      'a\r\n"1\r\n2"\r\n3\r\n',
      [
        [1, ['a']],
        [2, ['1\r\n2']],
        [4, ['3']],
      ],
    ],
    [
      'counts the lines of a quoted CR',
      'a\r"1\r2"\r3\r',
      [
        [1, ['a']],
        [2, ['1\r2']],
        [4, ['3']],
      ],
    ],
    [
      'counts blank lines',
      'a\n\r\n\r\r\nb\n',
      [
        [1, ['a']],
        [2, []],
        [3, []],
        [4, []],
        [5, ['b']],
      ],
    ],
    [
      'shows the separator line, which is a row like others',
      'sep=;\r\na;b\r\n',
      [
        [1, ['sep=', '']],
        [2, ['a', 'b']],
      ],
    ],
    ['has no rows for a mark alone', '\ufeff', []],
    [
      'allows a quoted text that begins with a quoted word',
      'a\n"""Yes"", he said,\nand left"\nb\n',
      [
        [1, ['a']],
        [2, ['"Yes", he said,\nand left']],
        [4, ['b']],
      ],
    ],
  ])('%s', async (_, content, expected) => {
    expect(await lines(await openContent(content))).toEqual(expected);
  });

  it.each([
    ['utf-8', 'a,b\n1,"x\0"\n3,4\n', {}, /line 2, column 5 is a zero byte/],
    ['windows-1252', Buffer.from('a,b\n1,"x\0"\n3,é\n', 'latin1'), {}, /line 2, column 5 is a zero byte/],
    ['declared', 'a,b\n1,"x\0"\n', { encoding: 'windows-1252' }, /line 2, column 5 is a zero byte/],
    [
      'utf-16le',
      Buffer.from('a,b\n1,"x\0"\n3,é\n', 'utf16le'),
      {},
      /line 2, column 5 is not text in utf-16le/,
    ],
  ])('refuses a file with a NUL character, with its place: %s', async (_, content, options, message) => {
    await expect(openContent(content, options).then(lines)).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['STUD_ID|TITLE!##!\n1|a!##!\n', [1, ['STUD_ID', 'TITLE']], [2, ['1', 'a']]],
    ['STUD_ID|TITLE!##!\r\n1|a\nb!##!\r\n2|c!##!', [2, ['1', 'a\nb']], [4, ['2', 'c']]],
    ['STUD_ID|TITLE!##!1|!##!2|c!##!', [1, ['1', '']], [1, ['2', 'c']]],
    ['STUD_ID|TITLE!##!\n!##!\n2|"x!##!y"!##!\n', [2, []], [3, ['2', 'x!##!y']]],
    ['STUD_ID|TITLE!##!\n1|the "big"\none!##!\n2|c', [2, ['1', 'the "big"\none']], [4, ['2', 'c']]],
  ])('ends rows with the mark of the first line, and lines where lines end: %j', async (text, ...rows) => {
    const drop = await openContent(text);
    expect(drop.text).toMatchObject({ delimiter: '|', rowEnd: '!##!' });
    expect((await lines(drop)).slice(-2)).toEqual(rows);
  });

  it('ends rows with the declared mark alone', async () => {
    const drop = await openContent('a,b~\n1,"2"\n~\n', { rowEnd: '~' });
    expect(await lines(drop)).toEqual([
      [1, ['a', 'b']],
      [2, ['1', '2\n']],
    ]);
  });

  it('takes a mark inside a first line for text', async () => {
    expect((await openContent('a!##!b,c\n1,2\n')).text?.rowEnd).toBeNull();
  });

  it('refuses a file where only a later line ends with a mark', async () => {
    await expect(openContent('STUD_ID|TITLE\n1|a!##!\n')).rejects.toMatchObject({
      message: expect.stringMatching(/line 2 ends with !##!/),
      hint: expect.stringMatching(/rowEnd: "!##!"/),
    });
  });

  it('refuses a quote that would swallow rows that end with a mark', async () => {
    const drop = await openContent('a|b!##!\n1|"2!##!\n"3"|4!##!\n');
    await expect(allRows(drop)).rejects.toMatchObject({
      message: expect.stringMatching(/line 2: the quote that opens field 2/),
    });
  });

  it('splits by the declared delimiter', async () => {
    expect(await lines(await openContent('a,b;c\n', { delimiter: ';' }))).toEqual([[1, ['a,b', 'c']]]);
  });

  it('takes any file for one column when the delimiter never occurs', async () => {
    expect(await lines(await openContent('email\na@example.com\n'))).toEqual([
      [1, ['email']],
      [2, ['a@example.com']],
    ]);
  });

  it('knows the line of every record also where chunks end inside line ends', async () => {
    // 7 bytes a record: over many records, every position in one falls on the end of a chunk.
    const drop = await openContent('"a\r\n"\r\n'.repeat(40_000));
    const rows = await allRows(drop);
    expect(rows).toHaveLength(40_000);
    expect(rows.every((row, i) => row.line === 2 * i + 1 && row.cells[0] === 'a\r\n')).toBe(true);
  });

  it('reads every record below a title line', async () => {
    const rows = await allRows(await openContent(`Report\n${'a,b,c\n'.repeat(3_000)}`));
    expect(rows).toHaveLength(3_001);
    expect(rows.at(-1)).toEqual({ line: 3_001, cells: ['a', 'b', 'c'] });
  });

  it.each([
    ['to the end of the file', 'a,b\n1,"2\n3,4\n', /line 2: the quote that opens field 2/],
    [
      'to a quote that opens a later field',
      'a,b\n1,"2\n3,"4"\n5,6\n',
      /line 2: the quote that opens field 2/,
    ],
    ['to a quote that opens a later line', 'a,b\n"1,2\n"3",4\n5,6\n', /line 2: the quote that opens field 1/],
    ['after a record of several lines', '"a\nb",c\n1,"2', /line 3: the quote that opens field 2/],
  ])('refuses a quote that would swallow rows %s', async (_, content, message) => {
    const drop = await openContent(content);
    await expect(allRows(drop)).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['a quote that is never closed', 'a,b\n1,"x"y\n\n2,"3\n4,5\n'],
    ['a quote that swallows rows', 'a,b\n1,"x"y\n\n2,"3\n4,"5"\n6,"7"z\n8,9\n'],
  ])('gives all rows before %s', async (_, content) => {
    const rows: unknown[] = [];
    const reading = async () => {
      for await (const batch of (await openContent(content)).rows()) rows.push(...batch);
    };
    await expect(reading()).rejects.toMatchObject({ message: expect.stringMatching(/line 4: the quote/) });
    expect(rows).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', 'xy'], strayQuotes: [1] },
      { line: 3, cells: [] },
    ]);
  });

  it('refuses a field beyond a mebibyte, naming its line', async () => {
    const drop = await openContent(`a,b\n\n1,"${`${'x'.repeat(99)}\n`.repeat(11_000)}"\n2,3\n`);
    await expect(allRows(drop)).rejects.toMatchObject({
      message: expect.stringMatching(/line 3: field 2 of this record is longer than 1048576 characters/),
    });
  });

  it('refuses an unclosed quote in a large file without reading all of it into memory', async () => {
    const drop = await openContent(`a,b\n1,"${`x,${'y'.repeat(97)}\n`.repeat(0.09 * MIB)}`);
    await expect(allRows(drop)).rejects.toMatchObject({ message: expect.stringMatching(/line 2: field 2/) });
  });

  it('allows a record of many long fields', async () => {
    const field = 'x'.repeat(30_000);
    const drop = await openContent(`${Array.from({ length: 40 }, () => field).join(',')}\n`);
    expect((await allRows(drop))[0]?.cells).toHaveLength(40);
  });
});

describe('what a source declares of its files', () => {
  it.each([
    ['a delimiter', { delimiter: '^' }, 'a^b\n"1^2"^3\n', ['1^2', '3']],
    ['a delimiter of two characters', { delimiter: '||' }, 'a||b\n1|2||3\n', ['1|2', '3']],
    ['no quotes', { quote: 'none' as const }, 'a,b\n5" screen,"x\n', ['5" screen', '"x']],
    ['another quote', { quote: "'" as const }, "a,b\n'1,''2',3\n", ["1,'2", '3']],
  ])('is how they are read: %s', async (_, options, text, cells) => {
    expect((await lines(await openContent(text, options)))[1]).toEqual([2, cells]);
  });

  it('is named where a quote is never closed: what would help', async () => {
    const read = async (text: string, options = {}) => lines(await openContent(text, options));
    await expect(read('a,b\n"1,3\n')).rejects.toMatchObject({
      hint: expect.stringMatching(/set quote: none for the source; .* exported with doubled quotes/),
    });
    expect(await read('a,b\n"1,3\n', { quote: 'none' })).toEqual([
      [1, ['a', 'b']],
      [2, ['"1', '3']],
    ]);
  });
});
