import { COURSE, COURSE_ID } from './course.js';
import type { Operation } from './operation.js';

/** Delete a course (specification §4.4). */
export const deleteCourse: Operation = { ...COURSE, name: 'delete-course', fields: [COURSE_ID] };
