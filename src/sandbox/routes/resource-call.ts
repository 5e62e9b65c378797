import { jsonAnswer, type Refusal, refuse, type SandboxAnswer, type SandboxRequest } from '../answer.js';
import type { IssuedToken } from '../tokens.js';
import type { SandboxWorld } from '../world.js';
import {
  createCourseRoute,
  createGroupRoute,
  deleteCourseRoute,
  updateCourseRoute,
} from './resource-routes.js';
import { parseJson, type Route } from './route.js';
import { addSkillsRoute, deleteSkillsRoute } from './skill-routes.js';
import { submitCompletionRoute } from './submit-completion-route.js';

const ROUTES: readonly Route[] = [
  submitCompletionRoute,
  deleteSkillsRoute,
  addSkillsRoute,
  createCourseRoute,
  updateCourseRoute,
  deleteCourseRoute,
  createGroupRoute,
];

/**
 * Token (401), path and method (404, 405), scope (403), JSON both ways (406, 415), readable body (400), then the
 * route's own rules. The quota has been counted before.
 */
export function performCall(
  request: SandboxRequest,
  path: string,
  token: IssuedToken | null,
  nowMs: number,
  world: SandboxWorld,
): { readonly answer: SandboxAnswer; readonly write: number } | Refusal {
  if (token === null) return refuse(401, 'The access token is missing or not known.');
  if (nowMs >= token.endsMs) return refuse(401, 'The access token has ended.');

  const routes = ROUTES.filter((route) => route.pattern.test(path));
  const route = routes.find(({ method }) => method === request.method);
  if (routes.length === 0) return refuse(404, 'There is no such resource.');
  if (!route) return refuse(405, 'The resource does not take this method.', request.method);
  if (!token.scopes.includes(route.scope))
    return refuse(403, 'The access token lacks the scope.', route.scope);

  const accept = request.headers.accept ?? '*/*';
  if (!/\*\/\*|application\/(\*|json|[\w.]+\+json)/i.test(accept))
    return refuse(406, 'Answers are JSON only.', accept);
  const contentType = request.headers['content-type'] ?? '';
  const isBare = route.bare === true && !request.body;
  if (!isBare && !/^application\/(json|[\w.]+\+json)\b/i.test(contentType))
    return refuse(415, 'Bodies are JSON only.', contentType);

  const body = parseJson(request.body);
  if (body === undefined && !isBare) return refuse(400, 'The body is not JSON.');
  const parameters = decoded(route.pattern.exec(path)?.slice(1) ?? []);
  if (parameters === null) return refuse(400, 'The path is not percent-encoded rightly.', path);
  const result = route.perform({ parameters, body, nowMs }, world);
  if ('detail' in result) return result;
  const { status, data, writes: write = 1 } = result;
  const answer = data === null ? { status, headers: {}, body: null } : jsonAnswer(status, { data });
  return { answer, write };
}

function decoded(parts: readonly string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}
