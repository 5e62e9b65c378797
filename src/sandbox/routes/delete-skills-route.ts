import { skillRoute } from './skill-route.js';

/** DELETE /api/v2/content/{content_id}/relationships/skills (specification §4.1). */
export const deleteSkillsRoute = skillRoute('DELETE', (skills, content, names) =>
  skills.remove(content, names),
);
