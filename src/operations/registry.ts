import { createCourse, deleteCourse, updateCourse } from './course.js';
import type { Operation } from './operation.js';
import { addSkills, deleteSkills } from './relate-skills.js';
import { submitCompletion } from './submit-completion.js';

/** Create a group with a name and a description (specification §2.4). */
export const createGroup: Operation = {
  name: 'create-group',
  family: 'group',
  kind: 'steps',
  fields: [
    { name: 'name', kind: 'passage', required: true, sent: true, headers: ['group-name'] },
    { name: 'description', kind: 'passage', sent: true, headers: ['group-description'] },
  ],
  learner: null,
  content: { type: { is: 'group' }, id: 'name' },
  occurrence: null,
};

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

export function findOperation(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}

/** For a name that the configuration or the ledger has checked; any other is a bug. */
export function operationNamed(name: string): Operation {
  const operation = findOperation(name);
  if (!operation) throw new Error(`unknown operation ${name}`);
  return operation;
}

/** The operations that share slots with this one, its own name among them. */
export function familyOf(name: string): readonly string[] {
  const { family } = operationNamed(name);
  return OPERATIONS.filter((operation) => operation.family === family).map((operation) => operation.name);
}
