/** A text as the platform has been reported to give it back (specification §2.5). */
export function alteredText(text: string, how: 'nothing' | 'entities' | 'letters'): string {
  if (how === 'entities') return text.replaceAll("'", '&#39;');
  if (how === 'letters')
    return text
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/\P{ASCII}/gu, '?');
  return text;
}
