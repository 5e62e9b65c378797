import type { Route, SandboxWorld } from './route.js';
import { checkSkills, noContent, SKILLS_PATH, skillsIn } from './skill-body.js';

/** A call on the skills of one content. */
export function skillRoute(
  method: string,
  carryOut: (skills: SandboxWorld['skills'], content: string, names: readonly string[]) => void,
): Route {
  return {
    method,
    pattern: SKILLS_PATH,
    scope: 'content:write',
    perform: ({ parameters: [content = ''], body }, world) => {
      const refusal = checkSkills(body) ?? (world.isKnownContent(content) ? null : noContent(content));
      if (refusal !== null) return { refusal };
      carryOut(world.skills, content, skillsIn(body));
      return { done: { status: 204, data: null }, writes: 1 };
    },
  };
}
