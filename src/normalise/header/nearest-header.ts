import { didYouMean } from '../../config/did-you-mean.js';
import { normaliseHeader } from './header-text.js';

/** The header most similar to the wanted one, for a "did you mean"; null when none is similar enough. */
export function nearestHeader(wanted: string, headers: readonly string[]): string | null {
  const key = normaliseHeader(wanted).text;
  const short = headers.filter((header) => header.length <= LONGEST_COMPARED);
  const isPart = (header: string) => {
    const { text } = normaliseHeader(header);
    return text.length >= 3 && (text.includes(key) || key.includes(text));
  };
  return short.find(isPart) ?? didYouMean(wanted.slice(0, LONGEST_COMPARED), short);
}

/** Longer texts are no names; comparing them letter by letter would take long. */
const LONGEST_COMPARED = 100;
