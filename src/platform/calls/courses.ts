import type { CallShape } from '../../config/platform-calls.js';
import type { FieldValue, NormalisedRecord } from '../../domain/record.js';
import { changedFields, courseId } from '../../operations/course.js';
import { CONTENT_WRITE } from '../scopes.js';
import { callBody } from './call-body.js';
import type { PlatformCall } from './platform-call.js';

/** Path, method and payload aren't shown (specification §2.3, §4.4): they are the environment's `courses`. */
const COURSES = {
  scope: CONTENT_WRITE,
  notShown:
    'The specification shows neither path nor payload of this call: they are courses of the environment in registrar.yaml, by default what is publicly known.',
} as const;

const TEXTS = { fields: ['title', 'description'], call: 'courses' } as const;

/**
 * A deleted course may still exist (specification §3). It is revived by an update of `obsolete`, together with the title
 * and description of the create.
 */
export const postCourse: PlatformCall = {
  ...COURSES,
  texts: TEXTS,
  request: ([record], { courses }) => ({
    method: 'POST',
    path: courses.path,
    body: callBody(courses, record.fields),
  }),
  revive: (record, { courses }) => patch(courses, record, { obsolete: false }),
};

/** `obsolete` included. */
export const patchCourse: PlatformCall = {
  ...COURSES,
  texts: TEXTS,
  request: ([record], { courses }) => patch(courses, record),
};

/** The specification doesn't show what a delete sets (§3). */
export const deleteCourse: PlatformCall = {
  ...COURSES,
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
