/** The text up to so many characters, with an ellipsis where that is not all of it. No character is cut in two. */
export function clip(text: string, length: number): string {
  const characters = text.length > length ? [...text] : [];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
