interface CauseOfDrops {
  readonly state: string;
  readonly cause: string;
  readonly code: string;
  readonly drops: readonly { readonly drop: number; readonly file: string; readonly count: number }[];
}

/** The names of the first files that have it may name a person. */
type OfSource<Cause extends CauseOfDrops> = Pick<Cause, 'state' | 'cause' | 'code'> & {
  readonly source: string;
  readonly rows: number;
  readonly files: readonly string[];
};

const MAX_FILES = 5;
/** Further ones count under our own name for the cause. */
const MAX_CODES = 100;

/** A platform's code that looks like one: an address, or a sentence, is left out. */
const SHOWABLE = /^[\w.:/-]{1,64}$/;

/** @param causes most rows first: of causes with one code the first names it. @param sources by drop. */
export function causesOfSources<Cause extends CauseOfDrops>(
  causes: readonly Cause[],
  sources: ReadonlyMap<number, string>,
): OfSource<Cause>[] {
  const causesByName = new Map<string, OfSource<Cause>>();
  for (const { state, cause, code: rawCode, drops } of causes) {
    const code = SHOWABLE.test(rawCode) ? rawCode : cause;
    for (const { drop, file, count } of drops) {
      const source = sources.get(drop) ?? '';
      const own = JSON.stringify([source, code]);
      const isOneMore = !causesByName.has(own) && causesByName.size >= MAX_CODES;
      const key = isOneMore ? JSON.stringify([source, cause]) : own;
      const fresh = { source, state, cause, code: isOneMore ? cause : code, rows: 0, files: [] };
      const total: OfSource<Cause> = causesByName.get(key) ?? fresh;
      const files = total.files.includes(file) ? total.files : [...total.files, file].slice(0, MAX_FILES);
      causesByName.set(key, { ...total, rows: total.rows + count, files });
    }
  }
  return [...causesByName.values()];
}
