/** The text with its parts, whose names it has in braces. */
export function filledText(text: string, parts: Readonly<Record<string, string | number | null>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name]));
}
