import { callBody } from './call-body.js';
import { COURSE, COURSE_TEXTS, changedFields, courseFields, coursePath } from './course.js';
import type { Operation } from './operation.js';

/** Update a course, `obsolete` included (specification §2.3, §4.4; path and payload are the environment's `courses`). */
export const updateCourse: Operation = {
  ...COURSE,
  name: 'update-course',
  fields: courseFields({ titleIsNeeded: false }),
  texts: COURSE_TEXTS,
  lacks: (record) =>
    Object.keys(changedFields(record)).length > 0
      ? null
      : 'the row changes nothing: title, description and obsolete are all empty',
  request: ([record], { courses }) => ({
    method: 'PATCH',
    path: coursePath(courses, record),
    body: callBody(courses, changedFields(record)),
  }),
};
