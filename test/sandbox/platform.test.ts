import { describe, expect, it } from 'vitest';
import { statsOf } from '../support/sandbox-stats.js';
import { ATTRIBUTES, completionBody, drive, json, refusal } from './sandbox-driver.js';

const SKILLS_PATH = '/api/v2/content/C-1/relationships/skills';

describe('completions (specification §4.2)', () => {
  it('a completion is written and answered with 201 and its id', () => {
    const { platform, complete } = drive();
    const answer = complete();
    expect(answer.status).toBe(201);
    expect(json(answer)).toEqual({
      data: { id: 'completion-1', type: 'completions', attributes: ATTRIBUTES },
    });
    expect(platform.completions()).toMatchObject([{ id: 'completion-1', writes: 1 }]);
  });

  it('percentile may be missing and may be 0', () => {
    const { complete, send } = drive();
    const { percentile: _, ...without } = ATTRIBUTES;
    expect(send({ body: completionBody(without) }).status).toBe(201);
    expect(complete({ percentile: 0, 'content-id': 'other' }).status).toBe(201);
  });

  it.each([
    ['user-id', ''],
    ['user-id', 17],
    ['user-identifier-type', undefined],
    ['content-id', '  '],
    ['content-id-type', null],
    ['content-type', undefined],
    ['completed-at', undefined],
    ['completed-at', '2025-02-28T16:30:00Z'],
    ['completed-at', '2025-02-28T16:30:00.000+00:00'],
    ['completed-at', '2025-02-28 16:30:00.000Z'],
    ['completed-at', '2025-02-31T16:30:00.000Z'],
    ['percentile', '92.5'],
    ['percentile', null],
    ['status', 'completed'],
  ])('%s = %j is refused with 400 and nothing is written', (name, value) => {
    const { platform, complete } = drive();
    const answer = complete({ [name]: value });
    expect(answer.status).toBe(400);
    expect(refusal(answer)).toMatchObject({ code: 'bad-request', status: 400, title: 'Bad Request' });
    expect(platform.completions()).toEqual([]);
  });

  it('data.type must be completions', () => {
    const answer = drive().send({ body: JSON.stringify({ data: { type: 'x', attributes: ATTRIBUTES } }) });
    expect(refusal(answer)).toMatchObject({ status: 400, source: 'x' });
  });

  it('attributes that are no object are refused', () => {
    const answer = drive().send({ body: '{"data":{"type":"completions","attributes":[1]}}' });
    expect(answer.status).toBe(400);
  });

  it('an unknown learner is refused in the words of the specification §7', () => {
    const { platform, complete } = drive({ learners: { unknown: ['Ada@Example.org'] } });
    expect(refusal(complete())).toEqual({
      id: 'error-1',
      code: 'bad-request',
      status: 400,
      title: 'Bad Request',
      detail: 'Invalid user identifier: ada@example.org',
      source: 'ada@example.org',
    });
    expect(platform.received.at(-1)).toMatchObject({ status: 400, written: false, attributes: ATTRIBUTES });
  });

  it('a repeat is written again, and the log says that it was one', () => {
    const { platform, complete } = drive();
    complete();
    expect(complete({ 'user-id': 'ADA@example.org' }).status).toBe(201);
    expect(platform.completions()).toMatchObject([{ writes: 2 }]);
    expect(platform.received.map(({ write }) => write)).toEqual([null, 1, 2]);
    expect(statsOf(platform).repeatedWrites).toBe(1);
  });

  it('another time of completion is another completion', () => {
    const { platform, complete } = drive();
    complete();
    complete({ 'completed-at': '2025-02-28T16:30:00.001Z' });
    expect(platform.completions()).toHaveLength(2);
  });

  it('a repeat is a 409 where the platform is set so', () => {
    const { platform, complete } = drive({ conflictOnRepeat: true });
    complete();
    const answer = complete();
    expect(refusal(answer)).toMatchObject({ status: 409, detail: 'Resource already exists' });
    expect(platform.completions()).toMatchObject([{ writes: 1 }]);
  });
});

describe('deleting skills (specification §4.1)', () => {
  it('skills are removed with 204 and no body', () => {
    const body = JSON.stringify({ data: [{ id: 'Welding', type: 'skills' }, { id: 'Go' }] });
    const answer = drive().send({ method: 'DELETE', path: SKILLS_PATH, body });
    expect(answer).toMatchObject({ status: 204, body: null });
  });

  it.each([
    ['no array', { id: 'Go', type: 'skills' }],
    ['no id', [{ type: 'skills' }]],
    ['another type', [{ id: 'Go', type: 'levels' }]],
  ])('%s is refused with 400', (_, data) => {
    const answer = drive().send({ method: 'DELETE', path: SKILLS_PATH, body: JSON.stringify({ data }) });
    expect(answer.status).toBe(400);
  });

  it('the scope content:write is required', () => {
    const driver = drive();
    driver.token = json(driver.askToken({ scope: 'completions:write' })).access_token;
    const answer = driver.send({ method: 'DELETE', path: SKILLS_PATH, body: '{"data":[]}' });
    expect(refusal(answer)).toMatchObject({ status: 403, source: 'content:write' });
  });
});

describe('tokens (specification §4.3 and §5)', () => {
  it('a token is opaque, of type bearer, and says how long it lasts', () => {
    const driver = drive({ tokenLifetimeMs: 90_000 });
    const answer = driver.askToken();
    expect(answer.status).toBe(200);
    expect(json(answer)).toEqual({
      access_token: expect.stringMatching(/^sandbox-2-[0-9a-f]{32}$/),
      token_type: 'bearer',
      expires_in: 90,
      scope: 'completions:write,content:write',
    });
  });

  it('scopes may be separated by spaces', () => {
    expect(drive().askToken({ scope: 'completions:write content:read' }).status).toBe(200);
  });

  it.each([
    ['a wrong secret', { client_secret: 'guess' }],
    ['an unknown client', { client_id: 'somebody' }],
    ['a scope the client does not own', { scope: 'completions:write,groups:write' }],
  ])('%s is a 403 in the error format', (_, form) => {
    expect(refusal(drive().askToken(form))).toMatchObject({ code: 'forbidden', status: 403 });
  });

  it('another grant type is a 400', () => {
    expect(drive().askToken({ grant_type: 'password' }).status).toBe(400);
  });

  it('a token request that is no form is a 400, and one that is no POST a 405', () => {
    const { platform, nowMs } = drive();
    const request = { method: 'POST', path: '/oauth/token', headers: {}, body: '{}' };
    expect(platform.handle(request, nowMs).status).toBe(400);
    expect(platform.handle({ ...request, method: 'GET' }, nowMs).status).toBe(405);
  });

  it.each([
    ['no token', ''],
    ['an unknown token', 'Bearer sandbox-1-0'],
    ['a token without Bearer', 'sandbox'],
  ])('%s is a 401', (_, authorization) => {
    const { complete, platform } = drive();
    expect(refusal(complete({}, { authorization }))).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(platform.received.at(-1)?.clientId).toBe(null);
  });

  it('a token is good until the very end of its lifetime and not at it', () => {
    const driver = drive({ tokenLifetimeMs: 5000 });
    driver.nowMs += 4999;
    expect(driver.complete().status).toBe(201);
    driver.nowMs += 1;
    expect(driver.complete().status).toBe(401);
  });

  it('a token is good only for the requested scopes', () => {
    const driver = drive();
    driver.token = json(driver.askToken({ scope: 'content:write' })).access_token;
    expect(refusal(driver.complete())).toMatchObject({ status: 403, source: 'completions:write' });
  });
});

describe('what is no right call', () => {
  it('an unknown path is a 404, also with a slash too many', () => {
    expect(drive().send({ path: '/api/v2/nothing' }).status).toBe(404);
    expect(drive().send({ path: '/api/v2/completions/' }).status).toBe(404);
  });

  it('a wrong method is a 405', () => {
    expect(drive().send({ method: 'GET' }).status).toBe(405);
  });

  it('a body that is not declared as JSON is a 415', () => {
    expect(drive().complete({}, { 'content-type': 'text/csv' }).status).toBe(415);
  });

  it('a client that takes no JSON gets a 406', () => {
    expect(drive().complete({}, { accept: 'text/html' }).status).toBe(406);
    expect(drive().complete({}, { accept: 'text/html, application/json' }).status).toBe(201);
  });

  it.each([['{"data":'], [''], [null]])('the body %j is a 400', (body) => {
    expect(drive().send({ body }).status).toBe(400);
  });

  it('a path that is not percent-encoded rightly is a 400', () => {
    const path = '/api/v2/content/%E0%A4%A/relationships/skills';
    expect(drive().send({ method: 'DELETE', path, body: '{"data":[]}' }).status).toBe(400);
  });

  it('every refusal has an id of its own', () => {
    const { complete } = drive();
    const ids = [1, 2, 3].map(() => refusal(complete({ 'user-id': '' })).id);
    expect(new Set(ids).size).toBe(3);
  });
});
