import { z } from 'zod';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import { unknownLearnersSchema } from '../../../documents/learners.js';
import { rowsSchema } from '../../../documents/rows.js';
import { traceSchema } from '../../../documents/trace.js';
import { RequestRefusal } from '../../work/status-of.js';
import { readOperation } from '../operation.js';
import { FLAG, PAGE_FIELDS, requestedSelection, SELECTION_TEXTS } from '../requests.js';

export const getRows = readOperation({
  id: 'getRows',
  tag: 'Rows',
  path: '/rows',
  summary: 'The rows of a selection, a page at a time',
  roles: ['operator', 'auditor'],
  query: {
    ...SELECTION_TEXTS,
    search: z.string().optional(),
    ...PAGE_FIELDS,
    descending: FLAG.optional(),
  },
  answer: rowsSchema,
  async carryOut({ context, query }) {
    const { search = null, after = null, limit, descending, ...filters } = query;
    const { rows, total, isComplete, next, unsearched } = await context.query('rows', {
      selection: requestedSelection(filters, BROWSABLE),
      search,
      after,
      isDescending: descending ?? false,
      ...(limit === undefined ? {} : { limit }),
    });
    return { rows, total, complete: isComplete, next, unsearched };
  },
});

export const getTrace = readOperation({
  id: 'getTrace',
  tag: 'Rows',
  path: '/rows/{what}',
  summary:
    'Every step of the life of a row (file.csv:217, 12:217), a submission (#12 or 12), a learner or a key',
  roles: ['operator', 'auditor'],
  query: { searchCells: FLAG.optional() },
  answer: traceSchema,
  async carryOut({ context, params: { what = '' }, query }) {
    const subject = /^\d+$/.test(what) ? `#${what}` : what;
    const document = await context.query('traceDocument', {
      what: subject,
      searchAll: query.searchCells ?? false,
    });
    if (document.kind !== null) return document;
    throw new RequestRefusal(404, {
      operation: 'trace',
      subject: 'the address',
      message: 'nothing is known of what the address names',
      hint: document.remarks.join(' '),
    });
  },
});

export const getUnknownLearners = readOperation({
  id: 'getUnknownLearners',
  tag: 'Rows',
  path: '/learners/unknown',
  summary: 'Unknown learners, and similar known ones',
  roles: ['operator', 'auditor'],
  answer: unknownLearnersSchema,
  carryOut: ({ context }) => context.query('unknownLearners', {}),
});
