import { didYouMean } from '../did-you-mean.js';

/** True for a zone of the IANA database that this Node knows, and for UTC. */
export function isTimeZone(name: string): boolean {
  // Creating the first format takes longer than reading the rest of registrar.yaml; only other names of a zone need it.
  if (Intl.supportedValuesOf('timeZone').includes(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** Why a text is not a zone, as the end of a sentence with the likely one; null when it is one. */
export function timeZoneMistake(name: string): string | null {
  if (isTimeZone(name)) return null;
  const zones = Intl.supportedValuesOf('timeZone');
  // People know the city; comparing whole names would make Europe/Rome the nearest to Europe/Bonn.
  const city = didYouMean(lastPart(name), zones.map(lastPart));
  const zone = city === null ? undefined : zones.find((candidate) => lastPart(candidate) === city);
  return `is not an IANA time zone${zone === undefined ? '; write one such as Europe/Berlin or UTC' : `; did you mean ${zone}?`}`;
}

function lastPart(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}
