/** A time on this machine's clock on the wall, for people: `Sun 22 Nov 06:26 CET`. */
export function localTime(ms: number): string {
  return FORMAT.format(ms).replaceAll(',', '');
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
