import { describe, expect, test } from 'vitest';
import { garbling } from '../../../src/domain/text/garbled-text.js';
import { readEmail } from '../../../src/normalise/values/email.js';
import { readIdentifier } from '../../../src/normalise/values/identifier.js';

const COLUMN = { column: 'Course ID' };

/** The letters of Windows-1252 beyond Latin-1, from 0x80. */
const BEYOND = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function readWrong(text: string, encoding: 'windows-1252' | 'latin-1'): string {
  const letter = (byte: number) =>
    encoding === 'windows-1252' && byte >= 0x80 && byte < 0xa0
      ? (BEYOND[byte - 0x80] as string)
      : String.fromCharCode(byte);
  return Array.from(Buffer.from(text), letter).join('');
}

describe('UTF-8 read in another encoding', () => {
  test.each([
    'Einführung',
    'Österreich 2',
    'Żółw',
    'cunoștințe',
    'Đặng',
    'İstanbul',
    'Москва',
    'Αθήνα',
    'שלום',
    'مرحبا',
    '東京',
    'हिन्दी',
    'don’t',
    'a – b',
    '😀 C-1',
  ])('of "%s" is refused with the original, read once or twice', (original) => {
    const once = readWrong(original, 'windows-1252');
    for (const cell of [
      once,
      readWrong(original, 'latin-1'),
      readWrong(once, 'windows-1252'),
      readWrong(readWrong(original, 'latin-1'), 'latin-1'),
    ]) {
      expect(readIdentifier(cell, COLUMN)).toMatchObject({
        issue: { code: 'identifier-damaged', message: expect.stringContaining(`probably of "${original}"`) },
      });
    }
  });

  test('is seen where its last half shows nothing', () => {
    expect(readIdentifier(readWrong('C-à', 'windows-1252'), COLUMN)).toMatchObject({
      issue: { message: expect.stringContaining('probably of "C-à"') },
    });
  });

  test('is refused in an address', () => {
    expect(readEmail('mÃ¼ller@example.com', COLUMN)).toMatchObject({
      issue: { code: 'email-invalid', message: expect.stringContaining('probably of "müller@example.com"') },
    });
  });
});

describe('an undecodable letter', () => {
  test('makes an identifier and an address invalid', () => {
    const lost = { message: expect.stringContaining('was lost') };
    expect(readIdentifier('Einf\ufffdhrung', COLUMN)).toMatchObject({ issue: lost });
    expect(readEmail('m\ufffdller@example.com', COLUMN)).toMatchObject({ issue: lost });
  });
});

describe('sound words are no garbled ones', () => {
  test.each([
    'MAÇÃ',
    'IRMÃ',
    'CORAÇÃO–A',
    'ANÁLISE “A”',
    'ÂNGULO',
    'PÂQUES',
    'CAFÉ™',
    'CAFÉ®',
    'CAFÉ–BAR',
    'Spaß…',
    '„Gruß“',
    '«PRÉ»',
    'là\u00a0–\u00a0bas',
    'è\u00a0–\u00a0B',
    'Ærø Å',
    'München®',
    'Łódź',
    'ŠKODA Ž',
    'À–Z',
    'Ö–Z',
    'Hà Nội',
    'МосквА',
    '東京',
    'OÙ',
    'Einführung: EinfÃ¼hrung',
  ])('%s', (text) => {
    expect(garbling(text)).toBeNull();
    expect(readIdentifier(text, COLUMN)).toEqual({ value: text });
  });

  test.each(['andré@example.com', 'åse@example.com', 'mäšek@example.com', 'nuñez@example.com'])(
    '%s',
    (address) => {
      expect(readEmail(address, COLUMN)).toEqual({ value: address });
    },
  );
});
