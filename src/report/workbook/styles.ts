import type { Style } from 'exceljs';
import type { SheetColumn } from './sheet.js';

/** A fill hides the lines of the sheet's own grid. */
const HAIRLINE = { style: 'thin', color: { argb: 'FFE5E7EB' } } as const;
const HAIRLINES = { top: HAIRLINE, bottom: HAIRLINE, left: HAIRLINE, right: HAIRLINE } as const;
const LINE = { style: 'thin', color: { argb: 'FF1F2937' } } as const;
const FONT = { name: 'Calibri', size: 11 } as const;
const INK = { ...FONT, color: { argb: 'FF1F2937' } } as const;
const FAINT = { ...FONT, color: { argb: 'FF4B5563' } } as const;

/** `@` keeps text what it is, also when a person types into the cell. */
const FORMATS = { text: '@', count: '#,##0', number: '0', time: 'yyyy-mm-dd hh:mm:ss' } as const;

/** How a cell looks: as its column says, or as what it is. */
export type StyleName =
  | NonNullable<SheetColumn['styleName']>
  | 'plain'
  | 'wrong'
  | 'title'
  | 'heading'
  | 'sum';

const BASE_STYLES: Readonly<Record<StyleName, Partial<Style>>> = {
  plain: { font: INK },
  added: filled(FAINT, 'FFF3F4F6'),
  guide: filled(INK, 'FFFFF7ED'),
  'fill-in': filled(INK, 'FFFEF9C3'),
  listed: { font: INK, border: { bottom: HAIRLINE } },
  wrong: filled({ ...INK, bold: true, color: { argb: 'FF7F1D1D' } }, 'FFFECACA'),
  title: { font: { ...INK, size: 18, bold: true } },
  heading: { font: { ...INK, bold: true } },
  sum: { font: { ...INK, bold: true }, border: { top: LINE } },
};

/** The ground of a header; blue where none is given. */
const HEADER_FILLS: Partial<Record<StyleName, string>> = {
  added: 'FFD1D5DB',
  guide: 'FFFED7AA',
  'fill-in': 'FFFDE047',
};

function filled(font: Partial<Style['font']>, argb: string): Partial<Style> {
  return { font, fill: solid(argb), border: HAIRLINES };
}

function solid(argb: string) {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } } as const;
}

/** The style of each combination, one object wherever it is used, because exceljs looks styles up by the object. */
const STYLES = new Map<string, Partial<Style>>();

export function styleOf(
  styleName: StyleName,
  kind: SheetColumn['kind'],
  isWrapped: boolean,
  isHeader = false,
): Partial<Style> {
  const key = `${styleName} ${kind} ${isWrapped} ${isHeader}`;
  const cached = STYLES.get(key);
  if (cached) return cached;
  const style: Partial<Style> = {
    ...BASE_STYLES[styleName],
    ...(isHeader
      ? {
          font: { ...BASE_STYLES[styleName].font, bold: true },
          fill: solid(HEADER_FILLS[styleName] ?? 'FFDBEAFE'),
          border: { bottom: LINE },
        }
      : {}),
    numFmt: isHeader ? FORMATS.text : FORMATS[kind],
    alignment: {
      vertical: 'top',
      // The indent keeps a number apart from the text beside it.
      ...(kind === 'count' || kind === 'number'
        ? { horizontal: 'right', indent: 1 }
        : { horizontal: 'left' }),
      ...(isWrapped ? { wrapText: true } : {}),
    },
  };
  STYLES.set(key, style);
  return style;
}
