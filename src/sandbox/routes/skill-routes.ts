import type { Refusal } from '../answer.js';
import { member, type Route, type SandboxWorld } from './route.js';

/** The relationship of a content to its skills (specification §4.1). */
const SKILLS_PATH = /^\/api\/v2\/content\/([^/]+)\/relationships\/skills$/;

/** DELETE /api/v2/content/{content_id}/relationships/skills (specification §4.1). */
export const deleteSkillsRoute = skillRoute('DELETE', (skills, content, names) =>
  skills.remove(content, names),
);

/** PATCH on the relationship that the specification §4.1 shows for DELETE: publicly known, not shown there. */
export const addSkillsRoute = skillRoute('PATCH', (skills, content, names) => skills.add(content, names));

function skillRoute(
  method: string,
  carryOut: (skills: SandboxWorld['skills'], content: string, names: readonly string[]) => void,
): Route {
  return {
    method,
    pattern: SKILLS_PATH,
    scope: 'content:write',
    perform: ({ parameters: [content = ''], body }, world) => {
      const refusal = checkSkills(body);
      if (refusal !== null) return { refusal };
      if (!world.isKnownContent(content))
        return { refusal: { status: 404, detail: 'There is no such content.', source: content } };
      carryOut(world.skills, content, skillsIn(body));
      return { done: { status: 204, data: null }, writes: 1 };
    },
  };
}

function skillsIn(body: unknown): string[] {
  return (member(body, 'data') as { id: string }[]).map(({ id }) => id);
}

/** The checks of the specification §2.1. A skill called `unknown …` is not there, for demonstrations. */
function checkSkills(body: unknown): Refusal | null {
  const skills = member(body, 'data');
  if (!Array.isArray(skills)) return { status: 400, detail: 'data must be an array.' };
  for (const skill of skills) {
    const id = member(skill, 'id');
    if (typeof id !== 'string' || id === '') {
      return { status: 400, detail: 'Each skill needs an id, the name of the skill.' };
    }
    // Whether the type may be missing isn't shown; any other value isn't allowed.
    const type = member(skill, 'type');
    if (type !== undefined && type !== 'skills') {
      return { status: 400, detail: 'The type of a skill must be "skills".', source: String(type) };
    }
    if (id.startsWith('unknown ')) return { status: 400, detail: 'There is no such skill.', source: id };
  }
  return null;
}
