import type { NormalisedRecord } from '../../domain/record.js';
import { contentId, skillOf } from '../../operations/relate-skills.js';
import { submitCompletion } from '../../operations/submit-completion.js';
import { COMPLETIONS_WRITE, CONTENT_WRITE } from '../scopes.js';
import { callBody } from './call-body.js';
import { deleteCourse, patchCourse, postCourse } from './courses.js';
import type { PlatformCall, PlatformRequest } from './platform-call.js';

/** Path and payload aren't shown (specification §2.4, §4.4): they are the environment's `groups`. */
const postGroup: PlatformCall = {
  scope: CONTENT_WRITE,
  notShown:
    'The specification shows neither path nor payload of this call: they are groups of the environment in registrar.yaml, by default what is publicly known.',
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

/** DELETE on the relationship (specification §4.1). */
const deleteSkills: PlatformCall = skillsCall('DELETE');

const patchSkills: PlatformCall = {
  ...skillsCall('PATCH'),
  notShown:
    'The specification shows how skills are deleted, not how they are added: PATCH on the same path is publicly known.',
};

/**
 * A call on {base_url}/api/v2/content/{content_id}/relationships/skills, whose body holds a list (specification §2.1,
 * §4.1).
 */
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
  'delete-skills': deleteSkills,
  'add-skills': patchSkills,
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
