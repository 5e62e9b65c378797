import type { Style } from 'exceljs';
import type { LetterLine, SheetColumn } from './sheet.js';
import { LONGEST_CELL, workbookText } from './workbook-text.js';

/** A fill hides the lines of the sheet's own grid. */
const HAIRLINE = { style: 'thin', color: { argb: 'FFE5E7EB' } } as const;
const HAIRLINES = { top: HAIRLINE, bottom: HAIRLINE, left: HAIRLINE, right: HAIRLINE } as const;
const LINE_BELOW = { bottom: { style: 'thin', color: { argb: 'FF1F2937' } } } as const;
const FONT = { name: 'Calibri', size: 11 } as const;
const INK = { ...FONT, color: { argb: 'FF1F2937' } } as const;
const FAINT = { ...FONT, color: { argb: 'FF4B5563' } } as const;

/** `@` keeps text what it is, also when a person types into the cell. */
const FORMATS = { text: '@', count: '#,##0', number: '0', time: 'yyyy-mm-dd hh:mm:ss' } as const;

type Look = NonNullable<SheetColumn['look']> | 'plain' | 'wrong';

const LOOKS: Readonly<Record<Look, { readonly cell: Partial<Style>; readonly header: Partial<Style> }>> = {
  plain: looks(INK, null, 'FFDBEAFE'),
  added: looks(FAINT, 'FFF3F4F6', 'FFD1D5DB'),
  guide: looks(INK, 'FFFFF7ED', 'FFFED7AA'),
  'fill-in': looks(INK, 'FFFEF9C3', 'FFFDE047'),
  wrong: looks({ ...INK, bold: true, color: { argb: 'FF7F1D1D' } }, 'FFFECACA', 'FFFECACA'),
};

function looks(font: Partial<Style>['font'] & object, fill: string | null, header: string) {
  return {
    cell: { font, ...(fill === null ? {} : { fill: solid(fill), border: HAIRLINES }) },
    header: { font: { ...font, bold: true }, fill: solid(header), border: LINE_BELOW },
  };
}

/** The style of each combination, one object wherever it is used, because exceljs looks styles up by the object. */
const STYLES = new Map<string, Partial<Style>>();

export function styleOf(
  kind: SheetColumn['kind'],
  name: Look,
  isHeader: boolean,
  isWrapped: boolean,
): Partial<Style> {
  const key = `${kind} ${name} ${isHeader} ${isWrapped}`;
  const known = STYLES.get(key);
  if (known) return known;
  const isRight = kind === 'count' || kind === 'number';
  const style: Partial<Style> = {
    ...LOOKS[name][isHeader ? 'header' : 'cell'],
    numFmt: isHeader ? FORMATS.text : FORMATS[kind],
    alignment: {
      vertical: 'top',
      // The indent keeps a number apart from the text beside it.
      ...(isRight ? { horizontal: 'right', indent: 1 } : { horizontal: 'left' }),
      ...(isWrapped ? { wrapText: true } : {}),
    },
  };
  STYLES.set(key, style);
  return style;
}

function solid(argb: string) {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } } as const;
}

export function letterStyle(look: LetterLine['look'], isNumber: boolean, isLink: boolean): Partial<Style> {
  const key = `letter ${look} ${isNumber} ${isLink}`;
  const known = STYLES.get(key);
  if (known) return known;
  const isTable = look === 'head' || look === 'row' || look === 'sum';
  const font = {
    ...INK,
    ...(look === 'title' ? { size: 18, bold: true } : {}),
    ...(look === 'heading' || look === 'head' || look === 'sum' ? { bold: true } : {}),
    ...(isLink ? { underline: true, color: { argb: 'FF1D4ED8' } } : {}),
  };
  const style: Partial<Style> = {
    font,
    numFmt: isNumber ? FORMATS.count : FORMATS.text,
    alignment: {
      vertical: 'top',
      horizontal: isNumber ? 'right' : 'left',
      ...(isNumber ? { indent: 1 } : {}),
      ...(isTable ? { wrapText: true } : {}),
    },
    ...(look === 'head' ? { fill: solid('FFDBEAFE'), border: LINE_BELOW } : {}),
    ...(look === 'row' ? { border: { bottom: HAIRLINE } } : {}),
    ...(look === 'sum' ? { border: { top: LINE_BELOW.bottom } } : {}),
  };
  STYLES.set(key, style);
  return style;
}

/** A text as one run in the cell itself: exceljs would turn plain text into a formula's result. */
export function asText(text: string) {
  const whole = text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
  return { richText: [{ text: workbookText(whole) }] };
}
