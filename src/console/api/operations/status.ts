import { z } from 'zod';
import { reportSchema } from '../../../documents/report.js';
import { healthSchema, statusSchema } from '../../../documents/status.js';
import { readOperation } from '../operation.js';
import { FLAG, numberField, TIME } from '../requests.js';

export const getStatus = readOperation({
  id: 'getStatus',
  tag: 'State',
  path: '/status',
  summary: 'The status: waiting rows, what needs attention, and what happened last',
  answer: statusSchema,
  carryOut: ({ context }) => context.query('statusDocument', {}),
});

export const getHealth = readOperation({
  id: 'getHealth',
  tag: 'State',
  path: '/health',
  summary: 'Whether work gets done',
  answer: healthSchema,
  carryOut: ({ context }) => context.query('healthDocument', {}),
});

export const getReport = readOperation({
  id: 'getReport',
  tag: 'State',
  path: '/report',
  summary: 'Where every row went: of a run, a source, a file, a span of time, or of all there is',
  query: {
    run: numberField().optional(),
    source: z.string().optional(),
    file: z.string().optional(),
    since: TIME.optional(),
    until: TIME.optional(),
    inboxes: FLAG.optional(),
  },
  answer: reportSchema,
  async carryOut({ context, query }) {
    const { run: runId, source, file: fileName, since, until } = query;
    const isPresent = [runId, fileName, since, until].every((narrowed) => narrowed === undefined);
    const request = {
      selection: { runId, source, fileName, since, until },
      inboxes: query.inboxes ?? isPresent,
    };
    return context.query('reportDocument', request);
  },
});
