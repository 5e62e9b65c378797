import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';

/**
 * The words of the platform's interface (docs/specification.md, and what of it is publicly known). The names of fields and
 * their choices are left out: a business record has the specification's names for them.
 */
const WORDS = {
  path: /\/api\/v2\b|\boauth\b/g,
  scope: /\b(?:content|completions):(?:read|write)\b/g,
  token: /\b(?:client_credentials|grant_type|access_token|expires_in)\b|\bBearer\b/g,
  header:
    /\bx-rate-limit-\w+|\bretry-after\b(?!\.js)|\bx-request-id\b|\bx-correlation-id\b|\bauthorization\b/gi,
  member: /\bdata\??\.(?:id|type|attributes)\b|\bdata: ?[[{]|\brelationships\/|\berrors\[/g,
  error: /Invalid user identifier|Resource already exists|quota-exceeded|\bmaximum \S+ requests allowed/gi,
  // Those that no other number is, and whatever a status is compared with.
  status:
    /\b(?:40[134579]|41[0345]|42[259]|50[135])\b|\bstatus\b[^\n;]{0,12}[=<>]=?[^\n;>]{0,3}\b[1-5]\d\d\b|\bstatus: [1-5]\d\d\b/g,
} as const;

type Kind = keyof typeof WORDS;

/** Allowed places of words elsewhere, with the reason. */
const ALLOWED: Readonly<Record<string, { readonly why: string; readonly kinds: readonly Kind[] }>> = {
  'config/platform-calls.ts': { why: 'defaults of settings, below the platform', kinds: ['path'] },
  'config/schema/environment-schema.ts': {
    why: 'describes those settings to people',
    kinds: ['path', 'member', 'error', 'status'],
  },
  'alerts/channels/webhook.ts': { why: 'answers of hosts that are no platform', kinds: ['status'] },
  'actions/access/idempotent-answers.ts': { why: 'what the HTTP interface answers', kinds: ['status'] },
  'actions/doctor/check-environments.ts': { why: 'says it to people', kinds: ['status'] },
  'cli/demo.ts': { why: 'says it to people', kinds: ['status'] },
  'inbox/https.ts': { why: 'a request to a host that is no platform', kinds: ['header', 'status', 'token'] },
  'inbox/s3.ts': { why: 'answers of hosts that are no platform', kinds: ['status'] },
  'inbox/sftp-connection.ts': { why: 'a request to a proxy, which is no platform', kinds: ['header'] },
  'monitor/ping.ts': { why: 'answers of hosts that are no platform', kinds: ['status'] },
  'monitor/monitor-routes.ts': { why: 'what it answers itself', kinds: ['status'] },
  'report/page/sums.ts': { why: 'says it to people', kinds: ['status'] },
  'report/sections/settings.ts': { why: 'says it to people', kinds: ['status'] },
  'report/status/render-status.ts': { why: 'says it to people', kinds: ['status'] },
  'report/terminal.ts': { why: 'says it to people', kinds: ['status'] },
};

const SRC = new URL('../src/', import.meta.url);

const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(new URL(name, SRC), 'utf8')]),
);

/** `report/page.ts: status 409`, each once; comments don't count. */
function wordsIn(path: string, text: string): { kind: Kind; sentence: string }[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  return (Object.keys(WORDS) as Kind[]).flatMap((kind) =>
    [...new Set(code.match(WORDS[kind]))].map((word) => ({ kind, sentence: `${path}: ${kind} ${word}` })),
  );
}

const ELSEWHERE = Object.entries(SOURCES)
  // The console is a server itself: it has statuses, headers and tokens of its own.
  .filter(([path]) => !/^(?:platform|sandbox|console)\//.test(path))
  .map(([path, text]) => ({ path, words: wordsIn(path, text) }));

test('only the room of the platform knows the words of its interface', () => {
  const found = ELSEWHERE.flatMap(({ path, words }) =>
    words.filter(({ kind }) => !ALLOWED[path]?.kinds.includes(kind)).map(({ sentence }) => sentence),
  );
  expect(found).toEqual([]);
});

test('every allowance names a word that its place uses', () => {
  const found = ELSEWHERE.map(({ path, words }) => [
    path,
    [...new Set(words.map(({ kind }) => kind))].sort(),
  ]);
  const allowed = Object.entries(ALLOWED).map(([path, { kinds }]) => [path, [...kinds].sort()]);
  expect(found.filter(([, kinds]) => kinds?.length !== 0).sort()).toEqual(allowed.sort());
});

test.each(Object.keys(WORDS))('the room of the platform has each %s', (kind) => {
  const own = Object.entries(SOURCES).filter(([path]) => path.startsWith('platform/'));
  expect(own.flatMap(([path, text]) => wordsIn(path, text)).map((word) => word.kind)).toContain(kind);
});

describe('a word elsewhere is named', () => {
  it.each([
    ["headers['x-rate-limit-remaining']", 'header x-rate-limit-remaining'],
    ['if (status === 409) return;', 'status status === 409'],
    ['if (status >= 500) return;', 'status status >= 500'],
    ["get('content:write')", 'scope content:write'],
    ["{ path: '/api/v2/groups' }", 'path /api/v2'],
    ['const id = body.data.id;', 'member data.id'],
    ["if (said.startsWith('Invalid user identifier'))", 'error Invalid user identifier'],
    ['form.access_token', 'token access_token'],
  ])('%s', (text, sentence) => {
    expect(wordsIn('push/x.ts', text).map((word) => word.sentence)).toContain(`push/x.ts: ${sentence}`);
  });

  it('but neither a word of a comment nor another number', () => {
    expect(wordsIn('push/x.ts', '/** A 409. */\nconst POLL_MS = 500; // status 429\nsize < 400;')).toEqual(
      [],
    );
  });
});
