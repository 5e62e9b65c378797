import type { Route } from './route.js';
import { checkSkills, noContent, SKILLS_PATH, skillsIn } from './skill-body.js';

/** PATCH on the relationship that the specification §4.1 shows for DELETE: publicly known, not shown there. */
export const addSkillsRoute: Route = {
  method: 'PATCH',
  pattern: SKILLS_PATH,
  scope: 'content:write',
  perform: ({ parameters: [content = ''], body }, world) => {
    const refusal = checkSkills(body) ?? (world.isKnownContent(content) ? null : noContent(content));
    if (refusal !== null) return { refusal };
    world.skills.add(content, skillsIn(body));
    return { done: { status: 204, data: null }, writes: 1 };
  },
};
