import type { CallShape } from '../../config/platform-calls.js';
import type { FieldValue, NormalisedRecord } from '../../domain/record.js';
import { changedFields, courseId } from '../../operations/course.js';
import { contentId, skillOf } from '../../operations/relate-skills.js';
import { submitCompletion } from '../../operations/submit-completion.js';
import {
  COMPLETIONS_WRITE,
  CONTENT_WRITE,
  type PlatformCall,
  type PlatformRequest,
} from './platform-call.js';

/** A call whose path and payload aren't shown (specification §2.3, §2.4, §4.4). */
function configured(key: 'courses' | 'groups') {
  const notShown = `The specification shows neither path nor payload of this call: they are ${key} of the environment in registrar.yaml, by default what is publicly known.`;
  return { scope: CONTENT_WRITE, notShown };
}

const postGroup: PlatformCall = {
  ...configured('groups'),
  texts: { fields: ['name', 'description'], call: 'groups' },
  request: ([record], { groups }) => ({
    method: 'POST',
    path: groups.path,
    body: callBody(groups, record.fields),
  }),
};

/**
 * POST /api/v2/completions (specification §2.2 and §4.2). The attributes have the names of the fields and the specification's
 * order; a field the row didn't give is left out, a score of 0 is sent.
 */
export const postCompletion: PlatformCall = {
  scope: COMPLETIONS_WRITE,
  request: ([{ fields }]) => {
    const sent = submitCompletion.fields.filter(({ sent }) => sent).map(({ name }) => [name, fields[name]]);
    return {
      method: 'POST',
      path: '/api/v2/completions',
      body: callBody({ type: 'completions', attributes: {} }, Object.fromEntries(sent)),
    };
  },
};

const COURSE_TEXTS = { fields: ['title', 'description'], call: 'courses' } as const;

/** A deleted course may still exist (specification §3). An update with the create's title and description revives it. */
const postCourse: PlatformCall = {
  ...configured('courses'),
  texts: COURSE_TEXTS,
  request: ([record], { courses }) => ({
    method: 'POST',
    path: courses.path,
    body: callBody(courses, record.fields),
  }),
  revive: (record, { courses }) => patch(courses, record, { obsolete: false }),
};

/** `obsolete` included. */
const patchCourse: PlatformCall = {
  ...configured('courses'),
  texts: COURSE_TEXTS,
  request: ([record], { courses }) => patch(courses, record),
};

/** The specification doesn't show what a delete sets (§3). */
const deleteCourse: PlatformCall = {
  ...configured('courses'),
  request: ([record], { courses }) => ({ method: 'DELETE', path: pathOf(courses, record), body: null }),
};

function patch(courses: CallShape, record: NormalisedRecord, more: Record<string, FieldValue> = {}) {
  return {
    method: 'PATCH',
    path: pathOf(courses, record),
    body: callBody(courses, { ...changedFields(record), ...more }),
  } as const;
}

function pathOf({ path }: CallShape, record: NormalisedRecord): string {
  return `${path}/${encodeURIComponent(courseId(record))}`;
}

/** A call on {base_url}/api/v2/content/{content_id}/relationships/skills with a list (specification §2.1, §4.1). */
function skillsCall(method: PlatformRequest['method']): PlatformCall {
  return {
    scope: CONTENT_WRITE,
    request: (records) => ({
      method,
      path: `/api/v2/content/${encodeURIComponent(contentId(records[0]))}/relationships/skills`,
      body: { data: records.map((record) => ({ id: skillOf(record), type: 'skills' })) },
    }),
    // A refusal of the content refuses all its skills.
    isNamed: (record: NormalisedRecord, index, source) =>
      source === skillOf(record) || source === contentId(record) || isPointerTo(index, source),
  };
}

/** True for a JSON:API pointer to this entry of the body's list, or to a member of the entry. */
function isPointerTo(index: number, source: string): boolean {
  const [data, entry] = source.replace(/^\//, '').split('/', 2);
  return data === 'data' && entry === String(index);
}

const CALLS: Readonly<Record<string, PlatformCall>> = {
  'submit-completion': postCompletion,
  'delete-skills': skillsCall('DELETE'),
  'add-skills': {
    ...skillsCall('PATCH'),
    notShown:
      'The specification shows how skills are deleted, not how they are added: PATCH on the same path is publicly known.',
  },
  'create-course': postCourse,
  'update-course': patchCourse,
  'delete-course': deleteCourse,
  'create-group': postGroup,
};

/** The call that carries out an operation; an operation without a call is a bug. */
export function callOf(operation: string): PlatformCall {
  const call = CALLS[operation];
  if (!call) throw new Error(`no call for the operation ${operation}`);
  return call;
}

/** A body in the envelope of specification §2, with its attributes under the platform's names. */
function callBody(
  { type, attributes }: Pick<CallShape, 'type' | 'attributes'>,
  fields: Readonly<Record<string, FieldValue | undefined>>,
): unknown {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    data: {
      type,
      attributes: Object.fromEntries(named.map(([name, value]) => [attributes[name] ?? name, value])),
    },
  };
}
