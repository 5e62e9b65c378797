import { z } from 'zod';
import { discardUpload, receiveDrop, receiveUpload } from '../../../actions/uploads.js';
import { checkSchema } from '../../../documents/check.js';
import { droppedSchema, filesSchema } from '../../../documents/files.js';
import { FILE_STANDINGS } from '../../../domain/files/file-standing.js';
import { operation, readOperation } from '../operation.js';
import { FLAG, NUMBERED_PAGE_FIELDS, nextOf, numberField, USUAL_LIMIT } from '../requests.js';

export const getFiles = readOperation({
  id: 'getFiles',
  tag: 'Files',
  path: '/files',
  summary: 'The files that came in, and what became of each, a page at a time',
  query: {
    source: z.string().optional(),
    name: z.string().optional(),
    standing: z.enum(FILE_STANDINGS).optional(),
    order: z.enum(['time', 'name', 'source', 'rows']).optional(),
    descending: FLAG.optional(),
    ...NUMBERED_PAGE_FIELDS,
  },
  answer: filesSchema,
  async carryOut({ context, query }) {
    const { source = null, name = null, standing = null, order = 'time', limit = USUAL_LIMIT } = query;
    const isDescending = query.descending ?? order === 'time';
    const after = query.after ?? null;
    const request = { source, name, standing, order, isDescending, after, most: limit };
    const { files, total, next } = await context.query('files', request);
    return { files, total, next: nextOf(next) };
  },
});

/** Issues and requests that are shown where the caller says nothing. */
const USUALLY_SHOWN = 20;

export const postChecks = operation({
  id: 'postChecks',
  tag: 'Files',
  method: 'post',
  path: '/checks',
  summary: 'What taking a file in would make of it; nothing of it is kept',
  roles: ['operator'],
  query: z.strictObject({
    source: z.string(),
    name: z.string().optional(),
    limit: numberField(0, 1_000).optional(),
  }),
  body: 'file',
  answers: { 200: checkSchema },
  async carryOut({ context, body, query, keepWaiting }) {
    const { source, name = 'the file', limit = USUALLY_SHOWN } = query;
    const { id, path } = await receiveUpload(context.actionContext(), { ...body, source, name });
    keepWaiting();
    try {
      const document = await context.query('checkDocument', { path, name, source, limit });
      return { status: 200, document };
    } finally {
      await discardUpload(context.actionContext(), { source, id });
    }
  },
});

export const postDrops = operation({
  id: 'postDrops',
  tag: 'Files',
  method: 'post',
  path: '/drops',
  summary: 'Upload a file into the inbox of a source; the next run imports it',
  roles: ['operator'],
  query: z.strictObject({ source: z.string(), name: z.string() }),
  body: 'file',
  takesKey: true,
  answers: { 202: droppedSchema },
  async carryOut({ context, who, body, query: { source, name } }) {
    const dropped = await receiveDrop(context.actionContext(), { ...body, source, name }, who);
    const look = `/api/v1/files?${new URLSearchParams({ source, name: dropped.name })}`;
    return { status: 202, document: { source, ...dropped, look } };
  },
});
