import { addSkills } from './add-skills.js';
import { createCourse } from './create-course.js';
import { createGroup } from './create-group.js';
import { deleteCourse } from './delete-course.js';
import { deleteSkills } from './delete-skills.js';
import type { Operation } from './operation.js';
import { submitCompletion } from './submit-completion.js';
import { updateCourse } from './update-course.js';

/** Every operation Registrar knows; a source names one of them. */
export const OPERATIONS: readonly Operation[] = [
  submitCompletion,
  deleteSkills,
  addSkills,
  createCourse,
  updateCourse,
  deleteCourse,
  createGroup,
];

/** The operation of that name; undefined when there is none. */
export function findOperation(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}

/** The operation of a name that the configuration or the ledger has checked; any other name is a bug. */
export function operationNamed(name: string): Operation {
  const operation = findOperation(name);
  if (!operation) throw new Error(`unknown operation ${name}`);
  return operation;
}

/** The names of the operations that share slots with this one, its own among them. */
export function familyOf(name: string): readonly string[] {
  const { family } = operationNamed(name);
  return OPERATIONS.filter((operation) => operation.family === family).map((operation) => operation.name);
}
