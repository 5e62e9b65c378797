import { z } from 'zod';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import { unknownLearnersSchema } from '../../../documents/learners.js';
import { rowsSchema } from '../../../documents/rows.js';
import { traceSchema } from '../../../documents/trace.js';
import { ROLES } from '../../../domain/access/role.js';
import { operation } from '../operation.js';
import { ApiRefusal } from '../refusal.js';
import { FLAG, PAGE_FIELDS, SELECTION_TEXTS, selectionAsked } from '../requests.js';

export const getRows = operation({
  id: 'getRows',
  tag: 'Rows',
  method: 'get',
  path: '/rows',
  summary: 'The rows of a selection, a page at a time; masked for viewers, who can’t search',
  roles: ROLES,
  query: z.strictObject({
    ...SELECTION_TEXTS,
    search: z.string().optional(),
    ...PAGE_FIELDS,
    descending: FLAG.optional(),
  }),
  body: null,
  answers: { 200: rowsSchema },
  async carryOut({ desk, query }) {
    const { search = null, after = null, limit, descending, ...named } = query;
    const { rows, total, isComplete, next, unsearched } = await desk.ask('rows', {
      selection: selectionAsked(named, BROWSABLE),
      search,
      after,
      isDescending: descending ?? false,
      ...(limit === undefined ? {} : { limit }),
    });
    return { status: 200, document: { rows, total, complete: isComplete, next, unsearched } };
  },
});

export const getTrace = operation({
  id: 'getTrace',
  tag: 'Rows',
  method: 'get',
  path: '/rows/{what}',
  summary:
    'Every step of the life of a row (file.csv:217, 12:217), a submission (#12 or 12), a learner or a key',
  roles: ['operator', 'auditor'],
  query: z.strictObject({ searchCells: FLAG.optional() }),
  body: null,
  answers: { 200: traceSchema },
  async carryOut({ desk, params: { what = '' }, query }) {
    const asked = /^\d+$/.test(what) ? `#${what}` : what;
    const document = await desk.ask('traceDocument', { what: asked, searchAll: query.searchCells ?? false });
    if (document.kind !== null) return { status: 200, document };
    throw new ApiRefusal(404, {
      operation: 'trace',
      subject: 'the address',
      message: 'nothing is known of what the address names',
      hint: document.remarks.join(' '),
    });
  },
});

export const getUnknownLearners = operation({
  id: 'getUnknownLearners',
  tag: 'Rows',
  method: 'get',
  path: '/learners/unknown',
  summary: 'Unknown learners, and similar known ones',
  roles: ['operator', 'auditor'],
  query: z.strictObject({}),
  body: null,
  answers: { 200: unknownLearnersSchema },
  async carryOut({ desk }) {
    return { status: 200, document: await desk.ask('unknownLearners', {}) };
  },
});
