import { callBody } from './call-body.js';
import { COURSE, COURSE_TEXTS, changedFields, courseFields, coursePath } from './course.js';
import type { Operation } from './operation.js';

/**
 * Create a course with a title and a description (specification §2.3). Path, method and payload aren't shown there
 * (§4.4): they are the environment's `courses`. A course that was deleted may exist all the same (§3): reviving it is
 * an update of `obsolete`, with the title and description it was to be created with.
 */
export const createCourse: Operation = {
  ...COURSE,
  name: 'create-course',
  fields: courseFields({ titleIsNeeded: true }),
  texts: COURSE_TEXTS,
  request: ([record], { courses }) => ({
    method: 'POST',
    path: courses.path,
    body: callBody(courses, record.fields),
  }),
  revive: (record, { courses }) => ({
    method: 'PATCH',
    path: coursePath(courses, record),
    body: callBody(courses, { ...changedFields(record), obsolete: false }),
  }),
};
