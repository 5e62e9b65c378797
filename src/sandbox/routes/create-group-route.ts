import { attributesOf, type Route } from './route.js';

/** Create a group: named by the specification (§2.4, §4.4), not shown; this is the publicly known path. */
export const createGroupRoute: Route = {
  method: 'POST',
  pattern: /^\/api\/v2\/groups$/,
  scope: 'content:write',
  perform({ body }, world) {
    const { name, description } = attributesOf(body) ?? {};
    if (typeof name !== 'string' || name === '') {
      return { refusal: { status: 400, detail: 'A group needs a name.' } };
    }
    if (world.groups.find(name) !== null) {
      return { refusal: { status: 409, detail: 'Resource already exists' } };
    }
    const { id } = world.groups.write(name, { name, description }, false);
    const texts = {
      name: world.altered(name),
      ...(typeof description === 'string' ? { description: world.altered(description) } : {}),
    };
    return { done: { status: 201, data: { id, type: 'groups', attributes: texts } }, writes: 1 };
  },
};
