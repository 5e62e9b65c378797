import {
  body,
  COURSE,
  COURSE_DESCRIPTION,
  COURSE_ID,
  COURSE_OBSOLETE,
  changedFields,
  coursePath,
  courseTitle,
} from './course.js';
import type { Operation } from './operation.js';

/**
 * Create a course with a title and a description (specification §2.3). Path, method and payload aren't shown there
 * (§4.4): they are the environment's `courses`. A course that was deleted may exist all the same (§3): restoring it is
 * an update of `obsolete`, with the title and description it was to be created with.
 */
export const createCourse: Operation = {
  ...COURSE,
  name: 'create-course',
  fields: [COURSE_ID, courseTitle(true), COURSE_DESCRIPTION, COURSE_OBSOLETE],
  texts: { fields: ['title', 'description'], call: 'courses' },
  request: ([record], { courses }) => ({
    method: 'POST',
    path: courses.path,
    body: body(courses, record.fields),
  }),
  restore: (record, { courses }) => ({
    method: 'PATCH',
    path: coursePath(courses, record),
    body: body(courses, { ...changedFields(record), obsolete: false }),
  }),
};
