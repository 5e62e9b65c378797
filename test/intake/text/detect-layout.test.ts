import { describe, expect, it } from 'vitest';
import { detectLayout } from '../../../src/intake/text/read-csv.js';
import { openContent } from '../../support/open-content.js';

const USUAL = { quote: '"', rowEnd: null } as const;

describe('detectLayout', () => {
  it.each([
    ['a comma', 'a,b\n1,2\n', ','],
    ['a semicolon beside decimal commas', 'name;score;weight\nann;1,5;0,5\nbob;2,5;0,75\n', ';'],
    ['a semicolon where every line also has a comma', 'last, first;score\nDoe, Jane;5\nRoe, Rick;7\n', ';'],
    ['a tab', 'a\tb\n1,5\t2\n', '\t'],
    ['a bar', 'a|b|c\n1|2|3\n', '|'],
    ['a comma beside semicolons in some cells', 'id,tags,n\n1,x;y,2\n2,x,3\n', ','],
    ['a delimiter inside quotes is text', 'a;b\n"1,2,3,4";5\n"1,2,3,4";6\n', ';'],
    ['a title above', 'Completions, exported 1 March\n\na;b;c\n1;2;3\n4;5;6\n', ';'],
    [
      'several tables in one file',
      '1. Summary\nTitle\tSafety\nStart\t3/1/24, 9:00\nEnd\t3/1/24, 10:00\n\n2. Participants\nName\tJoined\tLeft\tEmail\n' +
        'Ann\t3/1/24, 9:00\t3/1/24, 9:50\ta@example.com\nBob\t3/1/24, 9:00\t3/1/24, 9:50\tb@example.com\n',
      '\t',
    ],
    [
      'prose with other delimiters in changing numbers',
      'Report for Ann, Bob\nMade by x, y, z on 1, 2, 3\nid;text\n1;a, b\n2;a, b, c\n',
      ';',
    ],
    ['one line', 'a;b;c', ';'],
    ['lines that never agree', 'a;b\nc;d;e\nf;g;h;i\n', ';'],
    ['one column', 'email\na@example.com\n', ','],
    ['nothing', '', ','],
  ])('finds the delimiter: %s', (_, text, delimiter) => {
    expect(detectLayout(text, USUAL)).toMatchObject({ delimiter });
  });

  it('goes by the records before a quote that the end of the sample cuts', () => {
    expect(detectLayout('a;b\n1;2\n"3,4,5,', USUAL)).toMatchObject({
      delimiter: ';',
    });
  });

  it('takes the declared delimiter whatever the text looks like', () => {
    expect(detectLayout('sep=;\na;b\n1;2\n', { ...USUAL, delimiter: ',' })).toMatchObject({ delimiter: ',' });
  });

  it.each([
    ['sep=;\r\na,b;c\r\n', ';'],
    ['SEP=|\na,b|c\n', '|'],
    ['"sep=;"\na,b;c\n', ';'],
    ['sep=\t\na,b\tc\n', '\t'],
    ['sep=;', ';'],
  ])('takes the delimiter of a separator line: %j', (text, delimiter) => {
    expect(detectLayout(text, USUAL)).toMatchObject({
      delimiter,
    });
  });

  it.each(['sep,a\n1,2\n', 'sep=b,a\n1,2\n', 'a,b\nsep=;,1\n'])('treats %j as data', (text) => {
    expect(detectLayout(text, USUAL)).toMatchObject({
      delimiter: ',',
    });
  });

  it('looks at the decoded text, not at the bytes', async () => {
    const drop = await openContent(Buffer.from('\ufeffa;b\r\n1,5;2\r\n', 'utf16le'));
    expect(drop.text).toMatchObject({ delimiter: ';' });
  });
});
