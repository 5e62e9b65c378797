import { z } from 'zod';
import { healthSchema, statusSchema } from '../../../documents/status.js';
import { ROLES } from '../../../domain/access/role.js';
import { operation } from '../operation.js';

export const getStatus = operation({
  id: 'getStatus',
  tag: 'State',
  method: 'get',
  path: '/status',
  summary: 'The status: waiting rows, what needs attention, and what happened last',
  roles: ROLES,
  query: z.strictObject({}),
  body: null,
  answers: { 200: statusSchema },
  async carryOut({ desk }) {
    return { status: 200, document: await desk.ask('statusDocument', {}) };
  },
});

export const getHealth = operation({
  id: 'getHealth',
  tag: 'State',
  method: 'get',
  path: '/health',
  summary: 'Whether work gets done',
  roles: ROLES,
  query: z.strictObject({}),
  body: null,
  answers: { 200: healthSchema },
  async carryOut({ desk }) {
    return { status: 200, document: await desk.ask('healthDocument', {}) };
  },
});
