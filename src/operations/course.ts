import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import { type Field, type Operation, requiredField } from './operation.js';

/**
 * What the operations on a course have in common (specification §2.3, §4.4). They are steps of one course: each is sent,
 * in the order in which it came.
 */
export const COURSE = {
  family: 'course',
  kind: 'steps',
  learner: null,
  content: { type: { is: 'course' }, id: 'content-id', title: 'title' },
  occurrence: null,
} as const satisfies Partial<Operation>;

/** The course's identifier with the system that the files come from. */
export const COURSE_ID: Field = {
  name: 'content-id',
  kind: 'identifier',
  required: true,
  sent: true,
  inPath: true,
  headers: ['content-id', 'external-id'],
};

/** Fields that say what a course is. */
export function courseFields({ titleIsNeeded }: { readonly titleIsNeeded: boolean }): readonly Field[] {
  return [COURSE_ID, courseTitle(titleIsNeeded), COURSE_DESCRIPTION, COURSE_OBSOLETE];
}

function courseTitle(required: boolean): Field {
  return {
    name: 'title',
    kind: 'passage',
    required,
    sent: true,
    headers: ['course-title', 'content-title'],
  };
}

const COURSE_DESCRIPTION: Field = {
  name: 'description',
  kind: 'passage',
  required: false,
  sent: true,
  headers: ['course-description'],
};

/** The boolean of the specification §2.3. */
const COURSE_OBSOLETE: Field = {
  name: 'obsolete',
  kind: 'flag',
  required: false,
  sent: true,
  headers: ['obsolete'],
};

export function courseId(record: NormalisedRecord): string {
  return String(requiredField(record, 'content-id'));
}

/** The record's fields but its course's identifier. */
export function changedFields({ fields }: NormalisedRecord): Record<string, FieldValue> {
  const { 'content-id': _, ...changed } = fields;
  return changed;
}
