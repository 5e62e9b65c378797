import { describe, expect, it } from 'vitest';
import type { AnswerCause } from '../../../src/domain/cause.js';
import { causeOf } from '../../../src/domain/outcome.js';
import { classify, classifyFailure } from '../../../src/platform/answers/classify.js';
import { readResponse } from '../../../src/platform/answers/response.js';
import type { HttpFailure } from '../../../src/platform/http.js';
import { COMPLETION } from '../fixtures.js';

interface AnswerSpec {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** False: the connection ended before the body. */
  readonly complete?: boolean;
  readonly exists?: 'reject' | 'accept';
}

/** `body`: a text as it is, anything else as JSON. */
function outcomeOf(status: number, { headers = {}, body = '', complete = true, exists }: AnswerSpec = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = readResponse({ status, headers, text, complete }, []);
  return classify(COMPLETION, response, exists ?? 'reject');
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const TEXT_TYPE = { 'content-type': 'text/plain' };
const XML_TYPE = { 'content-type': 'application/xml' };
const PAGE_TYPE = { 'content-type': 'text/html' };
const refusing = (error: Record<string, unknown>) => ({ headers: JSON_TYPE, body: { errors: [error] } });

describe('success', () => {
  it.each<[string, number, AnswerSpec, string | null]>([
    ['201 with JSON', 201, { headers: JSON_TYPE, body: { data: { id: 'c-1' } } }, 'c-1'],
    ['200 with a number for an id', 200, { headers: JSON_TYPE, body: { data: { id: 17 } } }, '17'],
    ['202 with JSON without an id', 202, { headers: JSON_TYPE, body: { data: [] } }, null],
    ['204 without a body', 204, {}, null],
    ['200 with an empty body declared as a page', 200, { headers: PAGE_TYPE }, null],
    [
      '200 with a related JSON type',
      200,
      { headers: { 'content-type': 'application/vnd.api+json' }, body: 'ok' },
      null,
    ],
    ['200 with JSON of no type', 200, { body: { data: { id: 'c-1' } } }, 'c-1'],
    ['200 with JSON declared as a page', 200, { headers: PAGE_TYPE, body: { data: { id: 'c-1' } } }, 'c-1'],
    ['200 with JSON cut off', 200, { headers: JSON_TYPE, body: '{"data":{"id":"c' }, null],
    ['200 with nothing but the beginning of a body', 200, { headers: JSON_TYPE, complete: false }, null],
    ['200 with a body of null', 200, { headers: JSON_TYPE, body: 'null' }, null],
    ['201 with a word of text', 201, { headers: TEXT_TYPE, body: 'Created' }, null],
    ['201 with a word declared as a page', 201, { headers: PAGE_TYPE, body: 'Created' }, null],
    ['200 with XML', 200, { headers: XML_TYPE, body: '<?xml version="1.0"?><result>ok</result>' }, null],
    [
      '200 with a text of another type',
      200,
      { headers: { 'content-type': 'application/x' }, body: 'ok' },
      null,
    ],
    ['200 with empty signs of failure', 200, { body: { errors: [], error: null, success: true } }, null],
    [
      '200 that repeats what was sent',
      200,
      { body: { data: { attributes: { status: 'failed', error: 'x' } } } },
      null,
    ],
    ['207 with parts that went well', 207, { body: [{ status: 201 }, { status: '204 No Content' }] }, null],
  ])('%s is accepted', (_, status, answer, platformId) => {
    expect(outcomeOf(status, answer)).toEqual({ kind: 'accepted', platformId });
  });

  it.each<[string, number, AnswerSpec]>([
    ['a page', 200, { headers: PAGE_TYPE, body: '<!doctype html><p>Sign in' }],
    ['a page declared as JSON', 200, { headers: JSON_TYPE, body: ' <html>' }],
    ['a page of no type', 201, { body: '<html>' }],
    ['a page cut off before its first byte', 200, { headers: PAGE_TYPE, complete: false }],
    [
      'a page of XHTML',
      200,
      { body: '<?xml version="1.0"?>\n<!-- a -->\n<!-- b --><!DOCTYPE html><p>Sign in' },
    ],
    ['a page after a mark of its encoding', 200, { headers: PAGE_TYPE, body: 'Please <b>sign in</b>' }],
  ])('%s is not a success, stops the environment, and may have been written', (_, status, answer) => {
    expect(outcomeOf(status, answer)).toMatchObject({
      kind: 'stop',
      stops: 'environment',
      mayBeWritten: true,
    });
  });

  it.each<[string, number, AnswerSpec]>([
    ['errors in the error format', 200, refusing({ code: 'bad-request', detail: 'No.' })],
    ['an error', 200, { body: { error: 'denied' } }],
    ['an error as an object', 201, { body: { Error: { message: 'denied' } } }],
    ['success: false', 200, { body: { success: false, data: { id: '1' } } }],
    ['a failing status', 200, { body: { status: 500, message: 'oops' } }],
    ['a status of words', 200, { body: { status: 'error' } }],
    ['an error within its data', 200, { body: { data: [{ id: '1' }, { errors: [{ detail: 'No.' }] }] } }],
    ['errors that are cut off', 200, { headers: JSON_TYPE, body: '{"errors":[{"id":"e', complete: false }],
    ['a text of failure', 200, { headers: TEXT_TYPE, body: 'ERROR: the queue is full' }],
    ['XML of a fault', 200, { headers: XML_TYPE, body: '<soap:Envelope><soap:Fault/></soap:Envelope>' }],
    ['false', 200, { headers: JSON_TYPE, body: 'false' }],
    ['a part that failed', 207, { body: [{ status: 201 }, { status: 422 }] }],
    [
      'a part that failed, some levels down',
      207,
      { body: { results: { all: [{ result: { error: 'no' } }] } } },
    ],
    [
      'parts as XML',
      207,
      { headers: XML_TYPE, body: '<multistatus><status>HTTP/1.1 201</status></multistatus>' },
    ],
    ['parts without a body', 207, {}],
  ])('a 2xx with %s is not a success, and may have been written', (_, status, answer) => {
    expect(outcomeOf(status, answer)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(new RegExp(`^HTTP ${status}, but the body reports a failure`)),
    });
  });

  it('the reason of a 2xx that speaks of failure has the platform’s words, without the person', () => {
    const detail = 'No course for ada@example.org';
    expect(
      outcomeOf(200, refusing({ code: 'bad-request', detail, source: 'ada@example.org' })),
    ).toMatchObject({
      reason: 'HTTP 200, but the body reports a failure ("errors"): bad-request: No course for',
    });
  });

  it('signs of failure are looked for in so many levels, and no body is too deep', () => {
    const deep = `${'{"data":'.repeat(50_000)}{"error":"x"}${'}'.repeat(50_000)}`;
    expect(outcomeOf(207, { headers: JSON_TYPE, body: deep })).toMatchObject({ kind: 'accepted' });
  });

  it('409 means what the environment says', () => {
    const answer = refusing({ detail: 'Resource already exists' });
    expect(outcomeOf(409, answer)).toMatchObject({ kind: 'rejected', cause: 'platform-refused' });
    expect(outcomeOf(409, { ...answer, exists: 'accept' })).toEqual({
      kind: 'accepted',
      platformId: null,
      existed: true,
    });
  });
});

describe('refusals', () => {
  it.each([400, 409, 410, 413, 414, 422])('%i rejects the record', (status) => {
    expect(outcomeOf(status)).toMatchObject({
      kind: 'rejected',
      cause: 'platform-refused',
      code: `HTTP ${status}`,
      reason: `HTTP ${status}`,
    });
  });

  it.each([300, 301, 302, 304, 307, 402, 404, 405, 406, 407, 415, 418, 426, 431, 451, 501, 505])(
    '%i affects every record and stops the environment',
    (status) => {
      expect(outcomeOf(status)).toMatchObject({ kind: 'stop', stops: 'environment' });
    },
  );

  it.each([501, 505])('%i stops the environment, and may have been written like any 5xx', (status) => {
    expect(outcomeOf(status)).toMatchObject({ kind: 'stop', mayBeWritten: true });
    expect(outcomeOf(404)).not.toHaveProperty('mayBeWritten');
  });

  it('401 stops the environment, and one new token may resolve it', () => {
    expect(outcomeOf(401)).toMatchObject({ kind: 'stop', stops: 'token' });
  });

  it('403 stops the operation: others may have their scope', () => {
    expect(outcomeOf(403)).toMatchObject({ kind: 'stop', stops: 'operation' });
  });

  it('an invalid user identifier is recognised, without the person', () => {
    const answer = refusing({
      code: 'bad-request',
      title: 'Bad Request',
      detail: 'Invalid user identifier: ada@example.org',
      source: 'ada@example.org',
    });
    expect(outcomeOf(400, answer)).toEqual({
      kind: 'rejected',
      cause: 'learner-unknown',
      reason: 'bad-request: Invalid user identifier',
    });
    expect(outcomeOf(422, answer)).toMatchObject({ kind: 'rejected', cause: 'platform-refused' });
  });

  it('the reason of a stop is a sentence with status and code', () => {
    const answer = refusing({ code: 'forbidden', title: 'Forbidden', detail: 'The resource is private.' });
    expect(outcomeOf(403, answer)).toMatchObject({
      reason:
        'the client id may not do this; check its scopes (HTTP 403, forbidden: The resource is private.)',
    });
  });
});

describe('429', () => {
  it('is throttled, with the wait and the quota that the platform names', () => {
    const answer = refusing({
      code: 'quota-exceeded',
      title: 'API calls quota exceeded.',
      detail: 'Maximum 70 requests allowed per 1m.',
    });
    expect(outcomeOf(429, { ...answer, headers: { ...JSON_TYPE, 'retry-after': '17' } })).toEqual({
      kind: 'throttled',
      code: 'quota-exceeded',
      reason: 'quota-exceeded: Maximum 70 requests allowed per 1m.',
      retryAfterMs: 18_000,
      quota: { requests: 70, per: '1m' },
    });
  });

  it('without a body and headers names neither', () => {
    expect(outcomeOf(429)).toMatchObject({ kind: 'throttled', retryAfterMs: null, quota: null });
  });
});

describe('transient faults', () => {
  it.each([408, 425, 500, 502, 503, 504, 507, 520, 599])(
    '%i is transient, and may have been written',
    (status) => {
      expect(outcomeOf(status)).toMatchObject({ kind: 'transient', retryAfterMs: null, mayBeWritten: true });
    },
  );

  it('503 with Retry-After names the wait', () => {
    expect(outcomeOf(503, { headers: { 'retry-after': '30' } })).toMatchObject({ retryAfterMs: 31_000 });
  });
});

describe('the cause, which code checks, and the code, which people know', () => {
  const refusal = (code: string | null, detail = 'x') => refusing({ code, title: null, detail });
  it.each<[number, AnswerSpec | undefined, AnswerCause, string | undefined]>([
    [400, refusal('bad-request', 'Invalid user identifier: x'), 'learner-unknown', undefined],
    [400, refusal('bad-request'), 'platform-refused', 'bad-request'],
    [400, refusal('learner-unknown'), 'platform-refused', 'learner-unknown'],
    [422, refusal(null), 'platform-refused', 'HTTP 422'],
    [409, refusal('a:b'), 'platform-refused', 'a:b'],
    [429, refusal('quota-exceeded'), 'rate-limited', 'quota-exceeded'],
    [503, undefined, 'platform-failed', 'HTTP 503'],
    [501, refusal('nope'), 'platform-unusable', 'nope'],
    [200, refusal('bad-request'), 'answer-unclear', undefined],
  ])('%i, %j', (status, answer, cause, code) => {
    const outcome = outcomeOf(status, answer);
    expect(causeOf(outcome)).toBe(cause);
    expect('code' in outcome ? outcome.code : undefined).toBe(code);
  });

  it.each<[HttpFailure['code'], boolean, AnswerCause]>([
    ['ECONNRESET', true, 'no-answer'],
    ['ECONNREFUSED', false, 'not-sent'],
    ['fenced', false, 'not-sent'],
    ['misdirected', false, 'misdirected'],
    ['CERT_HAS_EXPIRED', false, 'platform-unusable'],
  ])('no status: %s, sent: %j', (code, sent, cause) => {
    expect(causeOf(classifyFailure({ code, sent, message: '' }))).toBe(cause);
  });
});

describe('no status', () => {
  it.each([
    ['ECONNRESET', true, 'unknown', 'no answer (ECONNRESET)'],
    ['deadline', true, 'unknown', 'no answer in time'],
    ['interrupted', true, 'unknown', 'cancelled before an answer came'],
    ['fenced', false, 'transient', 'not sent: the process was stopped for too long'],
    ['ECONNREFUSED', false, 'transient', 'no connection (ECONNREFUSED)'],
    ['deadline', false, 'transient', 'no connection in time'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'stop', expect.stringMatching('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['CERT_HAS_EXPIRED', false, 'stop', expect.anything()],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false, 'stop', expect.anything()],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, 'stop', expect.anything()],
  ])('%s, sent: %j, is %s', (code, sent, kind, reason) => {
    expect(classifyFailure({ code, sent, message: '' })).toMatchObject({ kind, reason });
  });

  it('what was never sent was never written', () => {
    const outcome = classifyFailure({ code: 'ECONNREFUSED', sent: false, message: '' });
    expect(outcome).toMatchObject({ kind: 'transient', mayBeWritten: false });
  });
});
