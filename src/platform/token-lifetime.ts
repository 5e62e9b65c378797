/** The shortest lifetime publicly seen, for a reply that names none that can be. */
const ASSUMED_MS = 30 * 60_000;

const LONGEST_S = 60 * 86_400;

/**
 * How long a token lasts by its `expires_in`, in milliseconds: seconds as a number or as text, from one second to 60
 * days; 30 minutes for anything else.
 */
export function tokenLifetimeMs(expiresIn: unknown): number {
  const isText = typeof expiresIn === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(expiresIn);
  const seconds = typeof expiresIn === 'number' || isText ? Number(expiresIn) : Number.NaN;
  return seconds >= 1 && seconds <= LONGEST_S ? seconds * 1000 : ASSUMED_MS;
}
