import { browseCauses } from '../../actions/browse/browse-causes.js';
import { browseLearners, type LearnersAsked } from '../../actions/browse/browse-learners.js';
import { browseRow, type RowAsked } from '../../actions/browse/browse-row.js';
import { browseRows, type RowsAsked } from '../../actions/browse/browse-rows.js';
import type { ActionContext } from '../../actions/context.js';

/** Needs attention: causes, rows, one row, learners. */
export const ATTENTION_QUERIES = {
  causes: (context: ActionContext, _request: Readonly<Record<string, never>>) => browseCauses(context),
  rows: (context: ActionContext, asked: RowsAsked) => browseRows(context, asked),
  row: (context: ActionContext, asked: RowAsked) => browseRow(context, asked),
  learners: (context: ActionContext, asked: LearnersAsked) => browseLearners(context, asked),
} as const;
