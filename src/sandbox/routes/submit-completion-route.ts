import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { type Refusal, refuse } from '../answer.js';
import type { CompletionAttributes } from '../world.js';
import { attributesOf, member, type Route } from './route.js';

/** POST /api/v2/completions (specification §4.2). The body of a success isn't shown there; this is JSON:API's. */
export const submitCompletionRoute: Route = {
  method: 'POST',
  pattern: /^\/api\/v2\/completions$/,
  scope: 'completions:write',

  perform({ body, nowMs }, world) {
    const refusal = checkCompletion(body);
    if (refusal !== null) return refusal;
    const attributes = attributesOf(body) as unknown as CompletionAttributes;

    const learnerId = attributes['user-id'];
    if (!world.isKnownLearner(attributes['user-identifier-type'], learnerId))
      return refuse(400, `Invalid user identifier: ${learnerId}`, learnerId);
    if (world.conflictOnRepeat && world.completions.find(attributes) !== null)
      return refuse(409, 'Resource already exists');
    const { id, writes } = world.completions.write(attributes, nowMs);
    return { status: 201, data: { id, type: 'completions', attributes }, writes };
  },
};

const TEXTS = ['user-id', 'user-identifier-type', 'content-id', 'content-id-type', 'content-type'];
const KNOWN = [...TEXTS, 'completed-at', 'percentile'];

/**
 * Which attributes are required isn't shown in §2.2: all but `percentile` are here. An unlisted attribute is refused,
 * so that nothing of a file leaks into a request unseen.
 */
function checkCompletion(body: unknown): Refusal | null {
  const type = member(member(body, 'data'), 'type');
  if (type !== 'completions') return refuse(400, 'data.type must be "completions".', type);
  const attributes = attributesOf(body);
  if (attributes === null) return refuse(400, 'data.attributes must be an object.');
  for (const name of TEXTS) {
    const value = member(attributes, name);
    if (typeof value !== 'string' || value.trim() === '')
      return refuse(400, `Attribute ${name} must be a text that is not empty.`, value);
  }
  const completedAt = member(attributes, 'completed-at');
  if (!isUtcWithMilliseconds(completedAt)) {
    const detail = 'Attribute completed-at must be an ISO 8601 UTC timestamp with milliseconds.';
    return refuse(400, detail, completedAt);
  }
  const percentile = member(attributes, 'percentile');
  if (percentile !== undefined && typeof percentile !== 'number')
    return refuse(400, 'Attribute percentile must be a number.', percentile);
  const unknown = Object.keys(attributes).find((name) => !KNOWN.includes(name));
  return unknown === undefined ? null : refuse(400, 'An attribute is not known.', unknown);
}

/** The parsed time is written out and compared, because parsing alone may roll 31 February over. */
function isUtcWithMilliseconds(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value)) return false;
  const ms = msFromIso(value);
  return !Number.isNaN(ms) && isoFromMs(ms) === value;
}
