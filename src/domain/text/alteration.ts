/** How a returned text differs from the one sent (specification §2.5): an HTML entity; letters beyond ASCII; else. */
export const ALTERATION_KINDS = ['entity', 'letters', 'other'] as const;

export type AlterationKind = (typeof ALTERATION_KINDS)[number];

/** null: the texts are the same, composed or not. */
export function alterationOf(sent: string, returned: string): AlterationKind | null {
  if (sent.normalize('NFC') === returned.normalize('NFC')) return null;
  if (decodeEntities(returned) === sent) return 'entity';
  return differsInLetters(sent, returned) ? 'letters' : 'other';
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** Entities of characters that HTML needs, by name or number; others stay. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

/** Each run of letters beyond ASCII came back as a few characters or none. Each part is searched for once. */
function differsInLetters(sent: string, returned: string): boolean {
  const [first = '', ...others] = withEntitiesAsLetters(sent).split(/(\P{ASCII}+)/u);
  const back = withEntitiesAsLetters(returned);
  if (!back.startsWith(first)) return false;
  let at = first.length;
  for (let index = 0; index < others.length; index += 2) {
    const [letters = '', literal = ''] = others.slice(index, index + 2);
    // Read in a wrong encoding a character is up to four, as an entity up to ten.
    const most = letters.length * 10;
    const isLast = index + 2 >= others.length;
    const after = isLast
      ? back.length - at - literal.length
      : back.slice(at, at + most + literal.length).indexOf(literal);
    if (after < 0 || after > most || !back.startsWith(literal, at + after)) return false;
    at += after + literal.length;
  }
  return at === back.length;
}

/** Letters of an entity's name must not be taken for the letters after it. */
function withEntitiesAsLetters(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});/gi, '\ufffd');
}
