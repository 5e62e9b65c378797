import { skillOperation } from './relate-skills.js';

/** Add skills to content: PATCH on the relationship, publicly known and not in the specification. */
export const addSkills = skillOperation(
  'add-skills',
  'PATCH',
  'The specification shows how skills are deleted, not how they are added: PATCH on the same path is publicly known.',
);
