import { skillOperation } from './relate-skills.js';

/** Remove skills from content (specification §4.1). */
export const deleteSkills = skillOperation('delete-skills');
