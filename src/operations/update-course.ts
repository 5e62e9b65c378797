import { COURSE, changedFields, courseFields } from './course.js';
import type { Operation } from './operation.js';

/** Update a course, `obsolete` included (specification §2.3, §4.4). */
export const updateCourse: Operation = {
  ...COURSE,
  name: 'update-course',
  fields: courseFields({ titleIsNeeded: false }),
  lacks: (record) =>
    Object.keys(changedFields(record)).length > 0
      ? null
      : 'the row changes nothing: title, description and obsolete are all empty',
};
