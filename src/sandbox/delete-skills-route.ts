import type { Route } from './route.js';
import { checkSkills, noContent, SKILLS_PATH, skillsIn } from './skill-body.js';

/** DELETE /api/v2/content/{content_id}/relationships/skills (specification §4.1). */
export const deleteSkillsRoute: Route = {
  method: 'DELETE',
  pattern: SKILLS_PATH,
  scope: 'content:write',
  perform: ({ parameters: [content = ''], body }, world) => {
    const refusal = checkSkills(body) ?? (world.isKnownContent(content) ? null : noContent(content));
    if (refusal !== null) return { refusal };
    world.skills.remove(content, skillsIn(body));
    return { done: { status: 204, data: null }, writes: 1 };
  },
};
