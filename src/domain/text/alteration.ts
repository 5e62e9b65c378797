/** How a returned text differs from the one sent (specification §2.5): an HTML entity; a letter beyond ASCII is gone; else. */
export const ALTERATION_KINDS = ['entity', 'letters', 'other'] as const;

export type AlterationKind = (typeof ALTERATION_KINDS)[number];

/** null: the texts are the same, composed or not. */
export function alterationOf(sent: string, returned: string): AlterationKind | null {
  const [was, is] = [sent.normalize('NFC'), returned.normalize('NFC')];
  if (was === is) return null;
  if (decodeEntities(returned) === sent) return 'entity';
  const letters = new Set(is);
  return [...was].some((letter) => letter > '\x7f' && !letters.has(letter)) ? 'letters' : 'other';
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
