import { skillOperation } from './relate-skills.js';

/** Add skills to content: publicly known, not in the specification. */
export const addSkills = skillOperation('add-skills');
