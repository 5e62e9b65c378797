import { dataFile } from '../../config/values/data-file.js';
import type { SheetColumn } from '../workbook/sheet.js';

type Columns = readonly SheetColumn[];

/** The columns of the correction workbook's sheets, and other words in it, as data/texts/workbook.yaml has them. */
export const workbookWords = dataFile<
  {
    readonly [Sheet in 'first' | 'guide' | 'place' | 'learners' | 'platform']: Columns;
  } & { readonly kinds: Readonly<Record<string, string>> }
>('texts/workbook');
