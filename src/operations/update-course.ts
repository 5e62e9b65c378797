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

/** Update a course, `obsolete` included (specification §2.3, §4.4; path and payload are the environment's `courses`). */
export const updateCourse: Operation = {
  ...COURSE,
  name: 'update-course',
  fields: [COURSE_ID, courseTitle(false), COURSE_DESCRIPTION, COURSE_OBSOLETE],
  texts: { fields: ['title', 'description'], call: 'courses' },
  lacks: (record) =>
    Object.keys(changedFields(record)).length > 0
      ? null
      : 'the row changes nothing: title, description and obsolete are all empty',
  request: ([record], { courses }) => ({
    method: 'PATCH',
    path: coursePath(courses, record),
    body: body(courses, changedFields(record)),
  }),
};
