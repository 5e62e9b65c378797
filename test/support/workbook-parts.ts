import type { ZipEntry } from './write-zip.js';

/** A test's overrides of a workbook; the rest is the minimum. */
export interface WorkbookSpec {
  /** XML of each sheet's `sheetData`, by sheet name; see `sheet` for whole parts. */
  readonly sheets?: readonly SheetSpec[];
  /** XML of the items of the shared string table. */
  readonly strings?: string;
  /** Format codes, which become styles 1, 2, …; a number is a built-in format. */
  readonly formats?: readonly (string | number)[];
  /** Attributes of `workbookPr`. */
  readonly properties?: string;
  /** What follows the list of sheets. */
  readonly after?: string;
}

export interface SheetSpec {
  readonly name?: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** The text between the tags of `sheetData`. */
  readonly rows?: string;
  /** The whole part, in place of `rows`. */
  readonly xml?: string | Buffer;
  readonly dimension?: string;
  /** What follows `sheetData`. */
  readonly after?: string;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook, ready for `writeZip`, to be changed by a test that needs an odd one. */
export function workbookParts(spec: WorkbookSpec): readonly ZipEntry[] {
  const sheets = spec.sheets ?? [];
  const listed = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name ?? `Sheet${i + 1}`}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
  );
  const relations = sheets.map((_, i) =>
    relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`),
  );
  return [
    { name: '_rels/.rels', content: relationships([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${spec.properties ?? ''}/><sheets>${listed.join('')}</sheets>${spec.after ?? ''}</workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships([
        ...relations,
        relation('rIdS', 'styles', 'styles.xml'),
        relation('rIdT', 'sharedStrings', 'sharedStrings.xml'),
      ]),
    },
    { name: 'xl/styles.xml', content: styles(spec.formats ?? []) },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${spec.strings ?? ''}</sst>` },
    ...sheets.map((sheet, i) => ({ name: `xl/worksheets/sheet${i + 1}.xml`, content: sheetXml(sheet) })),
  ];
}

/** The entries with one of them replaced (same name) or added. */
export function withPart(parts: readonly ZipEntry[], part: ZipEntry): readonly ZipEntry[] {
  return parts.some(({ name }) => name === part.name)
    ? parts.map((each) => (each.name === part.name ? part : each))
    : [...parts, part];
}

export function relationships(relations: readonly string[]): string {
  return `<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`;
}

export function relation(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
}

function sheetXml({ rows = '', xml, dimension, after = '' }: SheetSpec): string | Buffer {
  if (xml !== undefined) return xml;
  const claimed = dimension === undefined ? '' : `<dimension ref="${dimension}"/>`;
  return `<worksheet xmlns="${MAIN}">${claimed}<sheetData>${rows}</sheetData>${after}</worksheet>`;
}

function styles(formats: readonly (string | number)[]): string {
  const codes = formats.map((code, i) =>
    typeof code === 'number' ? '' : `<numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`,
  );
  const used = formats.map((code, i) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + i}"/>`);
  return `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs></styleSheet>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
