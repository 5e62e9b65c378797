import { type Refusal, refuse } from '../answer.js';
import { member, type Route } from './route.js';

/** DELETE /api/v2/content/{content_id}/relationships/skills (specification §4.1). */
export const deleteSkillsRoute = skillRoute('DELETE', (skills, skill) => skills.delete(skill));

/** PATCH on the relationship that the specification §4.1 shows for DELETE: publicly known, not shown there. */
export const addSkillsRoute = skillRoute('PATCH', (skills, skill) => skills.add(skill));

/** @param change changes the skills of the content by one skill. */
function skillRoute(method: string, change: (skills: Set<string>, skill: string) => void): Route {
  return {
    method,
    pattern: /^\/api\/v2\/content\/([^/]+)\/relationships\/skills$/,
    scope: 'content:write',
    perform: ({ parameters: [content = ''], body }, world) => {
      const refusal = checkSkills(body);
      if (refusal !== null) return refusal;
      if (!world.isKnownContent(content)) return refuse(404, 'There is no such content.', content);
      const skills = world.skills.get(content) ?? new Set();
      for (const { id } of member(body, 'data') as { id: string }[]) change(skills, id);
      world.skills.set(content, skills);
      return { status: 204, data: null };
    },
  };
}

/** The checks of the specification §2.1. A skill called `unknown …` is not there, for demonstrations. */
function checkSkills(body: unknown): Refusal | null {
  const skills = member(body, 'data');
  if (!Array.isArray(skills)) return refuse(400, 'data must be an array.');
  for (const skill of skills) {
    const id = member(skill, 'id');
    if (typeof id !== 'string' || id === '')
      return refuse(400, 'Each skill needs an id, the name of the skill.');
    // Whether the type may be missing isn't shown; any other value isn't allowed.
    const type = member(skill, 'type');
    if (type !== undefined && type !== 'skills')
      return refuse(400, 'The type of a skill must be "skills".', type);
    if (id.startsWith('unknown ')) return refuse(400, 'There is no such skill.', id);
  }
  return null;
}
