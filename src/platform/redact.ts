/** Shorter texts are no secrets worth the name, and replacing them would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/** In base64 a shorter secret leaves too few letters that are the same whatever stands around it. */
const SHORTEST_IN_BASE64 = 8;

/** Of one character, as `&#x00027;` or `%25252F`. What is left of a text that ends within one is shorter. */
const LONGEST_ESCAPE = 10;

const REDACTED = '[redacted]';

/**
 * The text without the secrets: each place where one stands says `[redacted]`, whether it is written as it is, with the
 * escapes of JSON, of addresses and forms or of HTML, needed or not, or in base64.
 * @param isCut the text may end within a secret, whose beginning goes then too.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const worthIt = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  // Longest first: a secret that begins with another must not leave its end behind.
  const longestFirst = worthIt.sort((a, b) => b.length - a.length);
  return longestFirst.reduce(
    (redacted, secret) =>
      withoutEscaped(withoutBase64(withoutUsual(redacted, secret), secret), secret, isCut),
    text,
  );
}

/** First, since a secret that itself looks like an escape (`%25`) would be read as one below. */
function withoutUsual(text: string, secret: string): string {
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
  const longestFirst = forms.sort((a, b) => b.length - a.length);
  return longestFirst.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text);
}

/** Looks for the beginning first: a pattern of a whole token with all its escapes would be too large. */
function withoutEscaped(text: string, secret: string, isCut: boolean): string {
  // Several backslashes are one unit: how many a level of escapes makes of them can only be counted together.
  const units = (secret.match(/\\+|./gsu) ?? []).map(writtenForms);
  const start = new RegExp(units.slice(0, SHORTEST_SECRET).join(''), 'g');
  const rest = units.slice(SHORTEST_SECRET).map((forms) => new RegExp(forms, 'y'));
  let redacted = '';
  let from = 0;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = endOf(text, start.lastIndex, rest, isCut);
    start.lastIndex = end ?? found.index + 1;
    if (end === null) continue;
    redacted += text.slice(from, found.index) + REDACTED;
    from = end;
  }
  return redacted + text.slice(from);
}

/** Where the rest of the secret ends that goes on at this place; null when something else does. */
function endOf(text: string, at: number, rest: readonly RegExp[], isCut: boolean): number | null {
  let end = at;
  for (const unit of rest) {
    unit.lastIndex = end;
    if (!unit.test(text)) return isCut && text.length - end < LONGEST_ESCAPE ? text.length : null;
    end = unit.lastIndex;
  }
  return end;
}

/** The pattern of all that may stand for a character, or for a run of backslashes. */
function writtenForms(unit: string): string {
  // Eight times: JSON within JSON within JSON.
  const itself = unit.startsWith('\\')
    ? `\\\\{${unit.length},${unit.length * 8}}`
    : `\\\\{0,7}${literal(unit)}`;
  const escaped = Array.from(unit, (character) => `(?:${escapes(character).join('|')})`).join('');
  // The character itself comes last: %25 begins with one.
  return `(?:${escaped}|${itself})`;
}

function escapes(character: string): string[] {
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => `%(?:25){0,2}${hexadecimal(byte, 2)}`);
  const halves = character.split('').map((half) => `\\\\{1,7}u${hexadecimal(half.charCodeAt(0), 4)}`);
  const code = character.codePointAt(0) ?? 0;
  return [
    halves.join(''),
    bytes.join(''),
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${hexadecimal(code, 0)};`,
    ...(HTML_NAMES[character] ?? []).map((name) => `&${name};`),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

const HTML_NAMES: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '"': ['quot'],
  "'": ['apos'],
  '<': ['lt'],
  '>': ['gt'],
};

function literal(unit: string): string {
  return unit.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** In large and small digits; at least so many. */
function hexadecimal(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** What is the same in base64 whatever stands before and after: three forms, by where the first byte falls. */
function withoutBase64(text: string, secret: string): string {
  if (secret.length < SHORTEST_IN_BASE64) return text;
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), text);
}
