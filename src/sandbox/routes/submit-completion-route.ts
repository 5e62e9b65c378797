import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Refusal } from '../answer.js';
import type { CompletionAttributes } from '../stores/completion-store.js';
import { attributesOf, member, type Route } from './route.js';

/** POST /api/v2/completions (specification §4.2). The body of a success isn't shown there; this is JSON:API's. */
export const submitCompletionRoute: Route = {
  method: 'POST',
  pattern: /^\/api\/v2\/completions$/,
  scope: 'completions:write',

  perform(call, world) {
    const refusal = checkCompletion(call.body);
    if (refusal !== null) return { refusal };
    const attributes = attributesOf(call.body) as unknown as CompletionAttributes;

    const learnerId = attributes['user-id'];
    if (!world.isKnownLearner(attributes['user-identifier-type'], learnerId)) {
      const detail = `Invalid user identifier: ${learnerId}`;
      return { refusal: { status: 400, detail, source: learnerId } };
    }
    if (world.conflictOnRepeat && world.completions.find(attributes) !== null) {
      return { refusal: { status: 409, detail: 'Resource already exists' } };
    }
    const { id, writes } = world.completions.write(attributes, call.nowMs);
    return { done: { status: 201, data: { id, type: 'completions', attributes } }, writes };
  },
};

const TEXTS = ['user-id', 'user-identifier-type', 'content-id', 'content-id-type', 'content-type'];

/**
 * Which attributes are required isn't shown in §2.2: all but `percentile` are here. An unlisted attribute is refused,
 * so that nothing of a file leaks into a request unseen.
 */
function checkCompletion(body: unknown): Refusal | null {
  const type = member(member(body, 'data'), 'type');
  if (type !== 'completions') return refuse('data.type must be "completions".', type);
  const attributes = attributesOf(body);
  if (attributes === null) return refuse('data.attributes must be an object.');
  for (const name of TEXTS) {
    const value = member(attributes, name);
    if (typeof value !== 'string' || value.trim() === '') {
      return refuse(`Attribute ${name} must be a text that is not empty.`, value);
    }
  }
  const completedAt = member(attributes, 'completed-at');
  if (typeof completedAt !== 'string' || !isUtcWithMilliseconds(completedAt)) {
    return refuse('Attribute completed-at must be an ISO 8601 UTC timestamp with milliseconds.', completedAt);
  }
  const percentile = member(attributes, 'percentile');
  if (percentile !== undefined && typeof percentile !== 'number') {
    return refuse('Attribute percentile must be a number.', percentile);
  }
  const unknown = Object.keys(attributes).find(
    (name) => !TEXTS.includes(name) && name !== 'completed-at' && name !== 'percentile',
  );
  return unknown === undefined ? null : refuse('An attribute is not known.', unknown);
}

/** The parsed time is written out and compared, because parsing alone may roll 31 February over. */
function isUtcWithMilliseconds(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text)) return false;
  const ms = msFromIso(text);
  return !Number.isNaN(ms) && isoFromMs(ms) === text;
}

function refuse(detail: string, source?: unknown): Refusal {
  if (source === undefined) return { status: 400, detail };
  return { status: 400, detail, source: typeof source === 'string' ? source : JSON.stringify(source) };
}
