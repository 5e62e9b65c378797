/**
 * How a text that the platform gives back differs from the one that was sent (specification §2.5): an apostrophe or
 * another character as an HTML entity; letters beyond ASCII altered; anything else.
 */
export const ALTERATION_KINDS = ['entity', 'letters', 'other'] as const;

export type AlterationKind = (typeof ALTERATION_KINDS)[number];

/** null: the texts are the same, composed or not. */
export function alterationOf(sent: string, returned: string): AlterationKind | null {
  if (sent.normalize('NFC') === returned.normalize('NFC')) return null;
  if (decodeEntities(returned) === sent) return 'entity';
  return lettersPattern(sent).test(returned) ? 'letters' : 'other';
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

/** Fits whatever is the sent text but for its letters beyond ASCII: each run of them may be a few other characters. */
function lettersPattern(sent: string): RegExp {
  const parts = sent.split(/(\P{ASCII}+)/u).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // Read in a wrong encoding a character is up to four, as an entity up to ten.
    return `[\\s\\S]{0,${part.length * 10}}`;
  });
  return new RegExp(`^${parts.join('')}$`, 'u');
}
