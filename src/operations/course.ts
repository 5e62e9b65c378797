import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import { type Field, type Operation, requiredField } from './operation.js';

/** Of the operations on a course (specification §2.3, §4.4): each step is sent, in the order in which it came. */
const COURSE = {
  family: 'course',
  kind: 'steps',
  learner: null,
  content: { type: { is: 'course' }, id: 'content-id', title: 'title' },
  occurrence: null,
} as const satisfies Partial<Operation>;

/** With the system that the files come from. */
const COURSE_ID: Field = {
  name: 'content-id',
  kind: 'identifier',
  required: true,
  sent: true,
  inPath: true,
  headers: ['content-id', 'external-id'],
};

const TITLE: Field = {
  name: 'title',
  kind: 'passage',
  required: true,
  sent: true,
  headers: ['course-title', 'content-title'],
};

/** `obsolete` is the boolean of the specification §2.3. */
const OPTIONAL: readonly Field[] = [
  { name: 'description', kind: 'passage', sent: true, headers: ['course-description'] },
  { name: 'obsolete', kind: 'flag', sent: true, headers: ['obsolete'] },
];

/** Create a course with a title and a description (specification §2.3). */
export const createCourse: Operation = {
  ...COURSE,
  name: 'create-course',
  fields: [COURSE_ID, TITLE, ...OPTIONAL],
};

/** Update a course, `obsolete` included (specification §2.3, §4.4). */
export const updateCourse: Operation = {
  ...COURSE,
  name: 'update-course',
  fields: [COURSE_ID, { ...TITLE, required: false }, ...OPTIONAL],
  lacks: (record) =>
    Object.keys(changedFields(record)).length > 0
      ? null
      : 'the row changes nothing: title, description and obsolete are all empty',
};

/** Delete a course (specification §4.4). */
export const deleteCourse: Operation = { ...COURSE, name: 'delete-course', fields: [COURSE_ID] };

export function courseId(record: NormalisedRecord): string {
  return String(requiredField(record, 'content-id'));
}

export function changedFields({ fields }: NormalisedRecord): Record<string, FieldValue> {
  const { 'content-id': _, ...changed } = fields;
  return changed;
}
