/** The meaning that a number format gives a number: an amount, a moment (`date`), a share (`percent`), or an identifier. */
export type NumberMeaning = 'amount' | 'date' | 'percent' | PaddedNumber;

/** An identifier of this many digits or more, as a person sees it: with the texts that the format puts around it. */
export interface PaddedNumber {
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** The meaning of a built-in format (ECMA-376 part 1, 18.8.30, with the East Asian ones). */
export function builtInMeaning(id: number): NumberMeaning {
  if (id === 9 || id === 10) return 'percent';
  // 46 is elapsed hours, so a duration.
  const isDate =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'amount';
}

/** The meaning of a custom format code; its first section decides, the others are for negative and zero values. */
export function formatMeaning(code: string): NumberMeaning {
  const section = withoutLiterals(code);
  // Elapsed hours, minutes or seconds: a duration.
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'amount';
  const symbols = section.replace(/\[[^[\]]*\]/g, '').trim();
  if (/^0{2,}$/.test(symbols)) return paddedNumber(code, symbols.length);
  // A letter that no date has makes it a word: "Standard", a translated "General".
  if (/[ymdhs]/i.test(symbols) && !/[^ymdhsegbap\P{L}]/iu.test(symbols)) return 'date';
  return symbols.includes('%') ? 'percent' : 'amount';
}

function paddedNumber(code: string, digits: number): PaddedNumber {
  const literals = /^(?:\[[^\]]*\])*((?:"[^"]*"|\\.)*)0+((?:"[^"]*"|\\.)*)(?:;|$)/s.exec(code);
  const text = (literal = '') => literal.replace(/"([^"]*)"|\\(.)/gs, '$1$2');
  return { digits, before: text(literals?.[1]), after: text(literals?.[2]) };
}

/** The first section without quoted text, escaped characters, and the characters that `_` and `*` turn into a blank. */
function withoutLiterals(code: string): string {
  const symbols = code.replace(/"[^"]*"?|[\\_*]./gs, '');
  return symbols.slice(0, `${symbols};`.indexOf(';'));
}
