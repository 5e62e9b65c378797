import { refuse } from '../answer.js';
import type { SandboxWorld, StoredResource } from '../world.js';
import { attributesOf, type Route } from './route.js';

/** The calls for courses that the specification names (§4.4) and doesn't show: these are the publicly known ones. */
const COURSE = /^\/api\/v2\/content\/courses\/([^/]+)$/;
const TYPE = 'content/courses';

export const createCourseRoute: Route = {
  method: 'POST',
  pattern: /^\/api\/v2\/content\/courses$/,
  scope: 'content:write',
  perform({ body }, world) {
    const attributes = attributesOf(body);
    const id = attributes?.['external-id'];
    if (typeof id !== 'string' || typeof attributes?.title !== 'string')
      return refuse(400, 'A course needs an external-id and a title.');
    // Deleted courses have been reported to answer so too (specification §3).
    if (world.courses.find(id) !== null) return EXISTS;
    const course = world.courses.write(id, { obsolete: false, ...attributes });
    return { status: 201, data: shown(TYPE, course, world) };
  },
};

export const updateCourseRoute: Route = {
  method: 'PATCH',
  pattern: COURSE,
  scope: 'content:write',
  perform({ parameters: [id = ''], body }, world) {
    const attributes = attributesOf(body);
    const existing = world.courses.find(id);
    if (attributes === null) return refuse(400, 'data.attributes must be an object.');
    if (existing === null) return refuse(404, NO_COURSE, id);
    const isDeleted = existing.isDeleted && attributes.obsolete !== false;
    const course = world.courses.write(id, { ...existing.attributes, ...attributes }, isDeleted);
    return { status: 200, data: shown(TYPE, course, world) };
  },
};

/** Deletes a course. The specification doesn't assert that a delete sets `obsolete` (§3); here it does. */
export const deleteCourseRoute: Route = {
  method: 'DELETE',
  pattern: COURSE,
  scope: 'content:write',
  bare: true,
  perform({ parameters: [id = ''] }, world) {
    const existing = world.courses.find(id);
    if (existing === null || existing.isDeleted) return refuse(404, NO_COURSE, id);
    world.courses.write(id, { ...existing.attributes, obsolete: true }, true);
    return { status: 204, data: null };
  },
};

/** Create a group: named by the specification (§2.4, §4.4), not shown; this is the publicly known path. */
export const createGroupRoute: Route = {
  method: 'POST',
  pattern: /^\/api\/v2\/groups$/,
  scope: 'content:write',
  perform({ body }, world) {
    const { name, description } = attributesOf(body) ?? {};
    if (typeof name !== 'string' || name === '') return refuse(400, 'A group needs a name.');
    if (world.groups.find(name) !== null) return EXISTS;
    const group = world.groups.write(name, { name, description });
    return { status: 201, data: shown('groups', group, world) };
  },
};

const EXISTS = refuse(409, 'Resource already exists');
const NO_COURSE = 'There is no such course.';

/** The resource as the platform returns it: its texts may come back altered. */
function shown(type: string, { id, attributes }: StoredResource, world: SandboxWorld) {
  const texts = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'string' && name !== 'external-id' ? world.altered(value) : value,
  ]);
  return { id, type, attributes: Object.fromEntries(texts) };
}
