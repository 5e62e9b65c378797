import { describe, expect, it } from 'vitest';
import { allRows, openContent } from '../../../support/open-content.js';

/** UTF-16 with the high byte first. */
function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const BOM = '\ufeff';
const POLISH = Buffer.from([0xa3, 0xf3, 0x64, 0xbc]); // Łódź in ISO-8859-2

describe('the encoding of a text file', () => {
  it.each([
    ['UTF-8', Buffer.from('é,1\n'), { encoding: 'utf-8', bom: false }],
    ['UTF-8 with mark', Buffer.from(`${BOM}é,1\n`), { encoding: 'utf-8', bom: true }],
    ['UTF-16LE with mark', Buffer.from(`${BOM}é,1\n`, 'utf16le'), { encoding: 'utf-16le', bom: true }],
    ['UTF-16BE with mark', utf16be(`${BOM}é,1\n`), { encoding: 'utf-16be', bom: true }],
    ['UTF-16LE without mark', Buffer.from('é,1\n', 'utf16le'), { encoding: 'utf-16le', bom: false }],
    ['UTF-16BE without mark', utf16be('é,1\n'), { encoding: 'utf-16be', bom: false }],
    ['Windows-1252', Buffer.from('é,1\n', 'latin1'), { encoding: 'windows-1252', bom: false }],
  ])('is recognised: %s', async (_, content, facts) => {
    const drop = await openContent(content);
    expect(drop.text).toMatchObject(facts);
    expect(await allRows(drop)).toEqual([{ line: 1, cells: ['é', '1'] }]);
  });

  it('is UTF-16 without mark also where a few characters have their zero byte on the other side', async () => {
    const text = 'name,number\n一郎,1\n三郎,3\n';
    const drop = await openContent(Buffer.from(text, 'utf16le'));
    expect((await allRows(drop))[1]?.cells).toEqual(['一郎', '1']);
  });

  it('reads the quotes, dashes and the euro sign of Windows-1252', async () => {
    const drop = await openContent(Buffer.from([0x80, 0x2c, 0x93, 0x41, 0x94, 0x2c, 0x96, 0xe4, 0x0a]));
    expect((await allRows(drop))[0]?.cells).toEqual(['€', '“A”', '–ä']);
  });

  it.each([
    ['iso-8859-2', POLISH, 'Łódź'],
    ['latin2', POLISH, 'Łódź'],
    ['windows-1252', Buffer.from([0x80]), '€'],
    ['iso-8859-1', Buffer.from([0xe9, 0x80]), 'é€'],
    ['shift_jis', Buffer.from([0x8c, 0x9a, 0x93, 0x63]), '建田'],
    ['UTF-16', Buffer.from('é', 'utf16le'), 'é'],
    ['UTF-8', Buffer.from(`${BOM}é`), 'é'],
  ])('is the declared one: %s', async (encoding, content, text) => {
    expect(await allRows(await openContent(content, { encoding }))).toEqual([{ line: 1, cells: [text] }]);
  });

  it('is not guessed from zero bytes strewn into other text', async () => {
    await expect(openContent('hello\n\0world\0\n')).rejects.toMatchObject({
      message: expect.stringMatching(/line 2, column 1 is a zero byte/),
    });
  });

  it('is unknown for a byte that Windows-1252 has no character for, and the line is named', async () => {
    const content = Buffer.concat([Buffer.from('a\r\nb\rc\n'), Buffer.from([0x8d, 0xe9])]);
    await expect(openContent(content)).rejects.toMatchObject({
      message: expect.stringMatching(/neither UTF-8 nor Windows-1252.*line 4, column 1/),
      hint: expect.stringMatching(/encoding:/),
    });
  });

  it('takes a damaged UTF-8 file for Windows-1252 only when it has no UTF-8 mark', async () => {
    await expect(
      openContent(Buffer.concat([Buffer.from(`${BOM}a\n`), Buffer.from([0xe9, 0x0a])])),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/line 2, column 1 is not text in utf-8/),
    });
  });

  it.each([
    ['utf-8', Buffer.from([0x61, 0x0a, 0x61, 0xe9, 0x0a]), /line 2, column 2 is not text in utf-8/],
    ['utf-8', Buffer.from([0x61, 0xc3]), /line 1, column 2/],
    ['iso-8859-3', Buffer.from([0x61, 0x0a, 0xa5]), /line 2, column 1 is not text in iso-8859-3/],
    [
      'utf-16le',
      Buffer.from([0x61, 0, 0x0a, 0, 0, 0xd8, 0x61, 0]),
      /line 2, column 1 .*is not text in utf-16le/,
    ],
    ['utf-16le', Buffer.from([0x61, 0, 0x0a, 0, 0x62]), /line 2, column 1 .*is not text in utf-16le/],
    ['utf-8', Buffer.from('a\n', 'utf16le'), /line 1, column 2 is a zero byte/],
    ['windows-1252', Buffer.from('a\n', 'utf16le'), /line 1, column 2 is a zero byte/],
    ['utf-8', Buffer.from(`${BOM}a`, 'utf16le'), /begins with the mark of utf-16le, but utf-8 is declared/],
  ])('is never forced on a text: %s with %j', async (encoding, content, message) => {
    const read = async () => allRows(await openContent(content, { encoding }));
    await expect(read()).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it('finds the first wrong byte of a file of many chunks', async () => {
    const content = Buffer.concat([
      Buffer.from('aé\n'.repeat(50_000)),
      Buffer.from([0xff]),
      Buffer.from('b\n'.repeat(9)),
    ]);
    await expect(openContent(content, { encoding: 'utf-8' })).rejects.toMatchObject({
      message: expect.stringMatching(/line 50001, column 1/),
    });
  });

  it('finds the beginning of a wrong character that crosses the ends of chunks', async () => {
    const content = Buffer.concat([Buffer.from(`${'a'.repeat(65_534)}\n`), Buffer.from([0xc3, 0x61])]);
    await expect(openContent(content, { encoding: 'utf-8' })).rejects.toMatchObject({
      message: expect.stringMatching(/line 2, column 1/),
    });
  });

  it.each([
    ['utf-8', (text: string) => Buffer.from(text)],
    ['utf-16le', (text: string) => Buffer.from(`${BOM}${text}`, 'utf16le')],
    ['utf-16be', (text: string) => utf16be(`${BOM}${text}`)],
  ])('keeps characters that lie across the ends of chunks: %s', async (encoding, encode) => {
    for (const character of ['é', '漢', '😀']) {
      // Of four starts, at least two put the end of a chunk inside a character of several bytes.
      for (const start of ['', 'x', 'xx', 'xxx']) {
        const field = start + character.repeat(140_000);
        const drop = await openContent(encode(`${field}\n`));
        expect(drop.text?.encoding).toBe(encoding);
        expect((await allRows(drop))[0]?.cells[0] === field).toBe(true);
      }
    }
  });

  it('keeps multi-byte characters of a declared encoding that lie across the ends of chunks', async () => {
    const sign = Buffer.from([0x8c, 0x9a]);
    const fields = Array.from({ length: 40_000 }, (_, i) =>
      Buffer.concat([Buffer.from('x'.repeat(i % 5)), sign, Buffer.from('\n')]),
    );
    const drop = await openContent(Buffer.concat(fields), { encoding: 'shift_jis' });
    const cells = (await allRows(drop)).map((row) => row.cells[0]);
    expect(cells).toEqual(Array.from({ length: 40_000 }, (_, i) => `${'x'.repeat(i % 5)}建`));
  });
});
