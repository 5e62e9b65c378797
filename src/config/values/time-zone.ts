import { once } from '../../domain/process/once.js';
import { didYouMean } from '../did-you-mean.js';

/** The names that this Node lists: making the list takes longer than reading the rest of a small registrar.yaml. */
const listed = once(() => Intl.supportedValuesOf('timeZone'));

/** True for a zone of the IANA database that this Node knows, and for UTC. */
export function isTimeZone(name: string): boolean {
  // Creating the first format takes longer still; only other names of a zone need it.
  if (name === 'UTC' || listed().includes(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** Why a text is not a zone, as the end of a sentence with the likely one; null when it is one. */
export function timeZoneMistake(name: string): string | null {
  // Node knows abbreviations by lists of its own: BST is Asia/Dhaka, AST America/Anchorage, and EST has no summer time.
  if (/^(?!UTC|GMT)[A-Z]{3}(\d[A-Z]{3})?$/.test(name)) {
    return 'is an abbreviation, which several regions use; write the zone of the region, such as Europe/Berlin';
  }
  if (isTimeZone(name)) return null;
  const zones = listed();
  // People know the city; comparing whole names would make Europe/Rome the nearest to Europe/Bonn.
  const city = didYouMean(lastPart(name), zones.map(lastPart));
  const zone = city === null ? undefined : zones.find((candidate) => lastPart(candidate) === city);
  return `is not an IANA time zone${zone === undefined ? '; write one such as Europe/Berlin or UTC' : `; did you mean ${zone}?`}`;
}

/** This machine's zone; UTC where registrar.yaml doesn't take its name. */
export function machineTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timeZoneMistake(zone) === null ? zone : 'UTC';
}

function lastPart(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}
