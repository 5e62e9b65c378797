import { postCompletion } from './completions.js';
import { deleteCourse, patchCourse, postCourse } from './courses.js';
import { postGroup } from './groups.js';
import type { PlatformCall } from './platform-call.js';
import { deleteSkills, patchSkills } from './skills.js';

const CALLS: Readonly<Record<string, PlatformCall>> = {
  'submit-completion': postCompletion,
  'delete-skills': deleteSkills,
  'add-skills': patchSkills,
  'create-course': postCourse,
  'update-course': patchCourse,
  'delete-course': deleteCourse,
  'create-group': postGroup,
};

/** The call that carries out an operation; an operation without a call is a bug. */
export function callOf(operation: string): PlatformCall {
  const call = CALLS[operation];
  if (!call) throw new Error(`no call for the operation ${operation}`);
  return call;
}
