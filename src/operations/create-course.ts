import { COURSE, courseFields } from './course.js';
import type { Operation } from './operation.js';

/** Create a course with a title and a description (specification §2.3). */
export const createCourse: Operation = {
  ...COURSE,
  name: 'create-course',
  fields: courseFields({ titleIsNeeded: true }),
};
