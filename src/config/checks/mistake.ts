/** A place in registrar.yaml: keys and list positions, from the top. */
export type Path = readonly (string | number)[];

export interface Mistake {
  readonly path: Path;
  /** The text after the place in the sentence: `is not an IANA time zone; did you mean Europe/Berlin?` */
  readonly text: string;
  /** True: the value follows the place, as the file has it. Never for a value that may be a secret. */
  readonly showValue?: boolean;
}

/** A path as people write it: `sources[0].columns.user-id`; a key with odd characters is quoted in brackets. */
export function formatPath(path: Path): string {
  return path.reduce<string>((start, part) => {
    if (typeof part === 'number') return `${start}[${part}]`;
    if (!/^[\p{L}\p{N}_-]+$/u.test(part)) return `${start}[${JSON.stringify(part)}]`;
    return start === '' ? part : `${start}.${part}`;
  }, '');
}
