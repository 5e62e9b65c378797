import { builtInMeaning, formatMeaning, type NumberMeaning } from './number-format.js';
import type { Archive } from './open-archive.js';
import { parseSmallXml } from './xml/parse-xml.js';

/** What numbers in cells mean, by the cells' style index. */
export async function readCellStyles(
  path: string,
  archive: Archive,
  part: string,
): Promise<readonly NumberMeaning[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  // Both elements also occur elsewhere (differential styles, named styles) with another meaning.
  let section = '';
  await parseSmallXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') section = name;
      else if (section === 'numFmts' && name === 'numFmt') {
        codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      } else if (section === 'cellXfs' && name === 'xf')
        formatIds.push(Number(attributes.get('numFmtId') ?? 0));
    },
    close(name) {
      if (name === section) section = '';
    },
  });
  return formatIds.map((id) => {
    const code = codes.get(id);
    return code === undefined ? builtInMeaning(id) : formatMeaning(code);
  });
}
