import { describe, expect, it } from 'vitest';
import { surveyHighBytes } from '../../../../src/intake/text/encoding/decide-encoding.js';
import { openContent, writeDrop } from '../../../support/open-content.js';

/** Replaces each § by this byte. */
function withByte(text: string, byte: number): Buffer {
  return Buffer.concat(
    text.split('§').flatMap((part, i) => (i === 0 ? [] : [Buffer.from([byte])]).concat(Buffer.from(part))),
  );
}

describe('UTF-8 text with damage', () => {
  it.each([
    [
      'one character of it left',
      'a,Führung\nb,M§ller\n',
      0xfc,
      /line 2, column 4.*1 character beyond ASCII is valid/,
    ],
    ['a stray continuation', 'ä\nö\nü\nx§x\n', 0x80, /line 4, column 2 .*3 characters/],
    ['several bytes', 'ä,ö,ü,§,§\n', 0xff, /line 1, column 7 .*3 characters/],
    ['half a character', '日本\n日§\n', 0xe6, /line 2, column 2 .*3 characters/],
  ])('is refused with its place, declared or not: %s', async (_, text, byte, message) => {
    for (const encoding of [undefined, 'utf-8']) {
      await expect(openContent(withByte(text, byte), { encoding })).rejects.toMatchObject({
        exit: 'attention',
        message: expect.stringMatching(message),
        hint: expect.stringContaining('Export the file again as UTF-8'),
      });
    }
  });

  it.each([
    ['é', 1],
    ['日', 1],
    ['日', 2],
    ['😀', 3],
  ])('is reported as cut off where it ends within %s after %i bytes', async (character, bytes) => {
    const content = Buffer.concat([Buffer.from('a,ü\nb,'), Buffer.from(character).subarray(0, bytes)]);
    for (const encoding of [undefined, 'utf-8']) {
      await expect(openContent(content, { encoding })).rejects.toMatchObject({
        message: expect.stringContaining('UTF-8 with damage: line 2, column 3'),
        hint: expect.stringContaining('copy it again where it was cut off'),
      });
    }
  });

  it('is not what ends in an accented letter of Windows-1252', async () => {
    const drop = await openContent(Buffer.from('a,b\nc,José', 'latin1'));
    expect(drop.text?.encoding).toBe('windows-1252');
  });

  it('is not what has more bytes of another encoding, which is text in two', async () => {
    const content = Buffer.concat([
      Buffer.from('Führung\n'),
      Buffer.from('Prüfung\nMüller\nJörg\n', 'latin1'),
    ]);
    await expect(openContent(content)).rejects.toMatchObject({
      message: expect.stringMatching(/encoding is unknown|UTF-8 with damage/),
    });
  });

  it('is counted the same wherever the file is read in two pieces', async () => {
    const text = Buffer.from('üé日😀ß');
    const odd = Buffer.concat([
      text,
      Buffer.from([0xff, 0xe6, 0x97, 0x61, 0xc3]),
      text,
      Buffer.from([0xf0, 0x9f]),
    ]);
    for (let start = 65_536 - odd.length; start <= 65_536; start += 1) {
      const path = writeDrop(Buffer.concat([Buffer.alloc(start, 'x'), odd]));
      const { sound, stray } = await surveyHighBytes(path);
      expect({ sound, stray }).toEqual({ sound: 10, stray: 4 });
    }
  });
});
