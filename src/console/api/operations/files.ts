import { z } from 'zod';
import { ROLES } from '../../../domain/access/role.js';
import { FILE_STANDINGS } from '../../../domain/files/file-standing.js';
import { operation } from '../operation.js';
import { filesSchema } from '../schemas/files.js';
import { FLAG, NUMBER } from '../schemas/requests.js';

const USUAL_ON_PAGE = 50;

export const getFiles = operation({
  id: 'getFiles',
  method: 'get',
  path: '/files',
  summary: 'The files that came in, and what became of each, a page at a time',
  roles: ROLES,
  query: z.strictObject({
    source: z.string().optional(),
    name: z.string().optional(),
    standing: z.enum(FILE_STANDINGS).optional(),
    order: z.enum(['time', 'name', 'source', 'rows']).optional(),
    descending: FLAG.optional(),
    page: NUMBER.min(1).optional(),
    perPage: NUMBER.min(1).max(500).optional(),
  }),
  body: null,
  answers: {
    200: {
      name: 'Files',
      description: 'A page, from page 1 on, the latest first unless another order is asked for.',
      schema: filesSchema,
    },
  },
  async carryOut({ desk, isMasked, query }) {
    const {
      source = null,
      name = null,
      standing = null,
      order = 'time',
      page = 1,
      perPage = USUAL_ON_PAGE,
    } = query;
    const isDescending = query.descending ?? order === 'time';
    const asked = { source, name, standing, order, isDescending, page, pageRows: perPage, isMasked };
    const { files, total } = await desk.ask('files', asked);
    const shown = files.map(({ dropId, runId, ...file }) => ({ drop: dropId, run: runId, ...file }));
    return { status: 200, document: { files: shown, total, page, perPage } };
  },
});
