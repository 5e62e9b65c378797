/** How platforms have been reported to return texts (specification §2.5). */
export const ALTERED = {
  nothing: (text: string) => text,
  entities: (text: string) => text.replaceAll("'", '&#39;'),
  letters: (text: string) =>
    text
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/\P{ASCII}/gu, '?'),
} as const;
