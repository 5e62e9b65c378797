import { builtInMeaning, formatMeaning, type NumberMeaning } from './cell-value.js';
import type { Archive } from './open-archive.js';
import { isStrike } from './rich-text.js';
import { parseSmallXml } from './xml/parse-xml.js';

/** The styles of a workbook's cells, by the cells' style index. */
export interface CellStyles {
  /** What numbers mean. */
  readonly meanings: readonly NumberMeaning[];
  /** The styles that strike the whole cell through; null: none does. */
  readonly struck: ReadonlySet<number> | null;
}

/** Of a workbook without styles. */
export const NO_STYLES: CellStyles = { meanings: [], struck: null };

/** Reads the styles of a workbook's cells. */
export async function readCellStyles(path: string, archive: Archive, part: string): Promise<CellStyles> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  const fontIds: number[] = [];
  const struckFonts = new Set<number>();
  let fonts = 0;
  // These elements also occur elsewhere (differential styles, named styles) with another meaning.
  let section = '';
  await parseSmallXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'fonts' || name === 'cellXfs') section = name;
      else if (section === 'numFmts' && name === 'numFmt') {
        codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      } else if (section === 'fonts' && name === 'font') fonts += 1;
      else if (section === 'fonts' && isStrike(name, attributes)) struckFonts.add(fonts - 1);
      else if (section === 'cellXfs' && name === 'xf') {
        formatIds.push(Number(attributes.get('numFmtId') ?? 0));
        fontIds.push(Number(attributes.get('fontId') ?? 0));
      }
    },
    close(name) {
      if (name === section) section = '';
    },
  });
  const struck = fontIds.flatMap((id, style) => (struckFonts.has(id) ? [style] : []));
  return {
    meanings: formatIds.map((id) => {
      const code = codes.get(id);
      return code === undefined ? builtInMeaning(id) : formatMeaning(code);
    }),
    struck: struck.length === 0 ? null : new Set(struck),
  };
}
