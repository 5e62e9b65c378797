import { z } from 'zod';
import { reportSchema } from '../../../documents/report.js';
import { ROLES } from '../../../domain/access/role.js';
import { operation } from '../operation.js';
import { FLAG, numberField, TIME } from '../requests.js';

export const getReport = operation({
  id: 'getReport',
  tag: 'State',
  method: 'get',
  path: '/report',
  summary: 'Where every row went: of a run, a source, a file, a span of time, or of all there is',
  roles: ROLES,
  query: z.strictObject({
    run: numberField().optional(),
    source: z.string().optional(),
    file: z.string().optional(),
    since: TIME.optional(),
    until: TIME.optional(),
    inboxes: FLAG.optional(),
  }),
  body: null,
  answers: { 200: reportSchema },
  async carryOut({ desk, query }) {
    const { run: runId, source, file: fileName, since, until } = query;
    const isPresent = [runId, fileName, since, until].every((narrowed) => narrowed === undefined);
    const request = {
      selection: { runId, source, fileName, since, until },
      inboxes: query.inboxes ?? isPresent,
    };
    return { status: 200, document: await desk.ask('reportDocument', request) };
  },
});
