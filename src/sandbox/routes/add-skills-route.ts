import { skillRoute } from './skill-route.js';

/** PATCH on the relationship that the specification §4.1 shows for DELETE: publicly known, not shown there. */
export const addSkillsRoute = skillRoute('PATCH', (skills, content, names) => skills.add(content, names));
