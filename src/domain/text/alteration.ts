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

/** True where the text had letters beyond ASCII, and all that was between them came back in its order. */
function differsInLetters(sent: string, returned: string): boolean {
  const [first = '', ...others] = sent.split(/\P{ASCII}+/u);
  if (!returned.startsWith(first) || !returned.endsWith(others.at(-1) ?? '')) return false;
  let at = first.length;
  for (const part of others) {
    const found = returned.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return others.length > 0;
}
