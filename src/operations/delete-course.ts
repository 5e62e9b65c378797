import { COURSE, COURSE_ID, coursePath } from './course.js';
import type { Operation } from './operation.js';

/** Delete a course (specification §4.4; the path is the environment's `courses`). What that sets isn't shown (§3). */
export const deleteCourse: Operation = {
  ...COURSE,
  name: 'delete-course',
  fields: [COURSE_ID],
  request: ([record], { courses }) => ({ method: 'DELETE', path: coursePath(courses, record), body: null }),
};
