import { z } from 'zod';
import { carryOut as carryOutCorrection, plan as planCorrection } from '../../../actions/correct/correct.js';
import { carryOut as carryOutDismissal, dismissedRows } from '../../../actions/dismiss.js';
import { correctionDocument } from '../../../actions/documents/correction-document.js';
import { mappedDocument, mappingDocument } from '../../../actions/documents/mapping-document.js';
import { restagedDocument, restagingDocument } from '../../../actions/documents/restaging-document.js';
import { dismissalDocument, dismissedDocument } from '../../../actions/documents/selection-document.js';
import { carryOut as carryOutMapping } from '../../../actions/map.js';
import { carryOut as carryOutRestaging } from '../../../actions/restage/restage.js';
import { DISMISSABLE } from '../../../actions/rows/selectable.js';
import { correctionSchema } from '../../../documents/correction.js';
import { dismissalSchema, mappingSchema, restagingSchema } from '../../../documents/decided.js';
import { decisionsSchema } from '../../../documents/run.js';
import { ROLES } from '../../../domain/access/role.js';
import { DOORS } from '../../../domain/decider.js';
import { decisionFields, reasonOf, requiredReason } from '../because.js';
import { operation } from '../operation.js';
import { mistaken } from '../read-request.js';
import { NUMBER, selectionSchema } from '../requests.js';
import { selectionOf } from '../selection-of.js';

export const getDecisions = operation({
  id: 'getDecisions',
  method: 'get',
  path: '/decisions',
  summary: 'Who decided what, when and why, the newest first, a page at a time; without reasons for viewers',
  roles: ROLES,
  query: z.strictObject({
    who: z.string().optional(),
    door: z.enum(DOORS).optional(),
    after: NUMBER.min(0).optional(),
    limit: NUMBER.min(1).max(500).optional(),
  }),
  body: null,
  answers: { 200: decisionsSchema },
  async carryOut({ desk, query }) {
    const { who = null, door = null, after = null, limit = 50 } = query;
    const { rows, total, next } = await desk.ask('decisions', {
      kind: null,
      who,
      door,
      isOpen: false,
      isDescending: true,
      after,
      most: limit,
    });
    const decisions = rows.map(({ decisionId, ...decision }) => ({ decision: decisionId, ...decision }));
    return { status: 200, document: { decisions, total, next } };
  },
});

export const postDismissals = operation({
  id: 'postDismissals',
  method: 'post',
  path: '/dismissals',
  summary: 'Close rows, or a file that was set aside: kept, and not sent',
  roles: ['operator'],
  query: z.strictObject({}),
  body: z.strictObject({
    selection: selectionSchema.optional(),
    drop: z.int().min(0).optional(),
    ...decisionFields,
  }),
  answers: { 200: dismissalSchema },
  async carryOut({ desk, body, who }) {
    const { selection: named, drop = null, dryRun = false } = body;
    if (named === undefined && drop === null)
      throw mistaken('the body', ['selection: it is needed where there is no drop']);
    const selection = named === undefined ? null : selectionOf(named, DISMISSABLE);
    const because = dryRun ? '' : requiredReason(body.because);
    const planned = await desk.ask('dismissPlan', { selection, drop });
    if (!dryRun && planned.rows.total + planned.files.length > 0) {
      const done = await carryOutDismissal(desk.context(), planned, who, because);
      return { status: 200, document: dismissedDocument(done) };
    }
    return {
      status: 200,
      document: dismissalDocument(planned, dryRun),
      list: { name: 'selected', entries: dismissedRows(desk.context(), planned) },
    };
  },
});

export const postMappings = operation({
  id: 'postMappings',
  method: 'post',
  path: '/mappings',
  summary: 'Correct a learner’s identifier, for what is staged and what comes',
  roles: ['operator'],
  query: z.strictObject({}),
  body: z.strictObject({
    old: z.string(),
    new: z.string(),
    type: z.string().optional(),
    newType: z.string().optional(),
    ...decisionFields,
  }),
  answers: { 200: mappingSchema },
  async carryOut({ desk, body, who }) {
    const { old, new: now, type, newType, dryRun = false } = body;
    const because = dryRun ? '' : requiredReason(body.because);
    const mapping = await desk.ask('mapPlan', { old, now, type, newType });
    if (dryRun) return { status: 200, document: mappingDocument(mapping) };
    return {
      status: 200,
      document: mappedDocument(await carryOutMapping(desk.context(), mapping, who, because)),
    };
  },
});

export const postCorrections = operation({
  id: 'postCorrections',
  method: 'post',
  path: '/corrections',
  summary: 'Give a row that needs a person the right values',
  roles: ['operator'],
  query: z.strictObject({}),
  body: z.strictObject({
    row: z.string(),
    values: z.record(z.string(), z.string()),
    ...decisionFields,
  }),
  answers: { 200: correctionSchema },
  async carryOut({ desk, body, who }) {
    const { row, values, dryRun = false } = body;
    const because = dryRun ? '' : requiredReason(body.because);
    const set = Object.entries(values).map(([column, value]) => `${column}=${value}`);
    const planned = await planCorrection(desk.context(), { kind: 'row', what: row, set });
    const done = dryRun ? null : await carryOutCorrection(desk.context(), planned, who, because);
    return { status: 200, document: correctionDocument(planned, done) };
  },
});

/** Requests that are shown where the caller says nothing. */
const USUALLY_SHOWN = 20;

export const postRestages = operation({
  id: 'postRestages',
  method: 'post',
  path: '/restages',
  summary: 'Read a drop’s invalid rows again, after its source was corrected',
  roles: ['operator'],
  query: z.strictObject({}),
  body: z.strictObject({
    drop: z.union([z.int().min(0), z.string()]),
    limit: z.int().min(0).max(1_000).optional(),
    ...decisionFields,
  }),
  answers: { 200: restagingSchema },
  async carryOut({ desk, body, who }) {
    const { drop, limit = USUALLY_SHOWN, dryRun = false } = body;
    const planned = await desk.ask('restagePlan', { drop: String(drop), limit });
    if (dryRun) return { status: 200, document: restagingDocument(planned) };
    const done = await carryOutRestaging(desk.context(), planned, who, reasonOf(body.because));
    return { status: 200, document: restagedDocument(planned, done) };
  },
});
