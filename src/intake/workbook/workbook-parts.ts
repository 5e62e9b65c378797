import { posix } from 'node:path';
import type { SheetFacts, WorkbookFacts } from '../opened-drop.js';
import { unreadable } from '../unreadable.js';
import type { Archive } from '../zip-entries.js';
import { parseSmallXml, prefixedAttribute } from './xml/parse-xml.js';
import { isTrue } from './xml/xml-scanner.js';

export interface SheetPart {
  readonly name: string;
  readonly state: SheetFacts['state'];
  readonly part: string;
}

export interface WorkbookParts {
  readonly epoch: WorkbookFacts['epoch'];
  /** True where the program that wrote the workbook has left it to its readers to calculate the formulas. */
  readonly isUncalculated: boolean;
  /** In the workbook's order; chart sheets, which have no cells, are left out. */
  readonly sheets: readonly SheetPart[];
  /** null: the workbook has no styles, or no shared strings. */
  readonly styles: string | null;
  readonly sharedStrings: string | null;
}

/** Follows the archive's relationships to the workbook and its sheets. Throws when it holds no workbook. */
export async function findWorkbookParts(path: string, archive: Archive): Promise<WorkbookParts> {
  const workbookPart = await findWorkbookPart(path, archive);
  const relations = await readRelations(path, archive, workbookPart);
  const { epoch, isUncalculated, sheets } = await readWorkbook(path, archive, workbookPart);
  if (sheets.length > SHEETS_MAX)
    throw unreadable(path, 'too-many-sheets', { sheets: sheets.length, most: SHEETS_MAX });
  const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
  const ofKind = (kind: string) => relations.find((relation) => relation.kind === kind)?.target ?? null;
  return {
    epoch,
    isUncalculated,
    sheets: sheets.flatMap(({ name, state, relationId }) => {
      const relation = byId.get(relationId ?? '');
      if (relation === undefined) {
        throw unreadable(path, 'workbook-damaged', {
          what: `nothing shows where the cells of its sheet "${name}" are`,
        });
      }
      return relation.kind === 'worksheet' ? [{ name, state, part: relation.target }] : [];
    }),
    styles: ofKind('styles'),
    sharedStrings: ofKind('sharedStrings'),
  };
}

/** Each sheet is looked into, and may be named again and again by a small file. */
const SHEETS_MAX = 1_000;

interface Relation {
  readonly id: string;
  /** Last segment of the type's address, which is the same for the two OOXML dialects. */
  readonly kind: string;
  readonly target: string;
}

const USUAL_WORKBOOK_PART = 'xl/workbook.xml';

async function findWorkbookPart(path: string, archive: Archive): Promise<string> {
  const relations = await readRelations(path, archive, '');
  const target = relations.find(({ kind }) => kind === 'officeDocument')?.target ?? USUAL_WORKBOOK_PART;
  // Where relationships name a missing part, reading it reports the error.
  if (!target.endsWith('.bin') && (archive.has(target) || relations.length > 0)) return target;
  throw unreadable(path, 'no-workbook');
}

/** The relationships of a part, of the whole archive for ''; none when the archive has no such list. */
async function readRelations(path: string, archive: Archive, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const list = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!archive.has(list)) return relations;
  await parseSmallXml(path, archive, list, {
    open(name, attributes) {
      const [id, type, target] = [attributes.get('Id'), attributes.get('Type'), attributes.get('Target')];
      if (name !== 'Relationship' || id === undefined || target === undefined) return;
      if (attributes.get('TargetMode') === 'External') return;
      const kind = type?.slice(type.lastIndexOf('/') + 1) ?? '';
      relations.push({ id, kind, target: partName(folder, target) });
    },
  });
  return relations;
}

/** The part that a relationship's target names, absolute or relative to the folder of its source. */
function partName(folder: string, target: string): string {
  const slashed = target.replaceAll('\\', '/');
  return posix.join(slashed.startsWith('/') ? '/' : folder, slashed).replace(/^\//, '');
}

async function readWorkbook(path: string, archive: Archive, part: string) {
  let epoch: WorkbookFacts['epoch'] = 1900;
  let isUncalculated = false;
  let root: string | null = null;
  const sheets: { name: string; state: SheetFacts['state']; relationId: string | undefined }[] = [];
  await parseSmallXml(path, archive, part, {
    open(name, attributes) {
      root ??= name;
      if (name === 'workbookPr' && isTrue(attributes.get('date1904'))) epoch = 1904;
      if (name === 'calcPr' && isTrue(attributes.get('fullCalcOnLoad'))) isUncalculated = true;
      if (name !== 'sheet') return;
      const state = attributes.get('state');
      sheets.push({
        name: attributes.get('name') ?? '',
        state: state === 'hidden' || state === 'veryHidden' ? state : 'visible',
        relationId: prefixedAttribute(attributes, 'id'),
      });
    },
  });
  if (root !== 'workbook') throw unreadable(path, 'other-document');
  return { epoch: epoch as WorkbookFacts['epoch'], isUncalculated, sheets };
}
