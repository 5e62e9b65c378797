import { member, type Route } from './route.js';

/** DELETE /api/v2/content/{content_id}/relationships/skills (specification §4.1). */
export const deleteSkillsRoute: Route = {
  method: 'DELETE',
  pattern: /^\/api\/v2\/content\/([^/]+)\/relationships\/skills$/,
  scope: 'content:write',

  perform(call) {
    const skills = member(call.body, 'data');
    if (!Array.isArray(skills)) return { refusal: { status: 400, detail: 'data must be an array.' } };
    for (const skill of skills) {
      const id = member(skill, 'id');
      if (typeof id !== 'string' || id === '') {
        return { refusal: { status: 400, detail: 'Each skill needs an id, the name of the skill.' } };
      }
      // Whether the type may be missing isn't shown; any other value isn't allowed.
      const type = member(skill, 'type');
      if (type !== undefined && type !== 'skills') {
        return {
          refusal: { status: 400, detail: 'The type of a skill must be "skills".', source: String(type) },
        };
      }
    }
    // Removing what isn't there is a success as well, so nothing has to be remembered.
    return { done: { status: 204, data: null }, writes: 1 };
  },
};
