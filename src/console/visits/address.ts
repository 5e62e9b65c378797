/** An address of the console, which can be sent to a colleague. */
export interface Address {
  /** `/attention/rejected` */
  readonly path: string;
  /** One value for each name; of a repeated name all, with commas between them. */
  readonly query: Readonly<Record<string, string>>;
}

/** The address as a link has it, with some of the query's values changed. @param changes null: without that value. */
export function hrefOf(
  { path, query }: Address,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const merged = Object.entries({ ...query, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  );
  const search = new URLSearchParams(merged).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** The path of this console that a form continues to; `/` for anything that could lead elsewhere. */
export function ownPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\') ? text : '/';
}
