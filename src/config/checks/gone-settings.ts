import type { Path } from './mistake.js';

/** What to do instead of a setting that no longer exists; null for any other key. */
export function insteadOf(path: Path): string | null {
  return GONE.get(path.filter((part) => typeof part === 'string').join('.')) ?? null;
}

const GONE: ReadonlyMap<string, string> = new Map([
  [
    'sources.control.file',
    'no longer exists, because files beside a drop are not read: give control.rows with min and max, and let the sender rename a file once it is whole',
  ],
  ...['alerts', 'alerts.channels'].flatMap((place): [string, string][] => [
    [
      `${place}.quietHours`,
      'no longer exists, because notifications are sent at once: set quiet hours where they are received, and name kinds in only',
    ],
    [
      `${place}.digest`,
      'no longer exists, because notifications are sent at once: remove it, and name kinds in only',
    ],
  ]),
  [
    'sources.inbox.group',
    'no longer exists, because Registrar leaves the rights of folders as they are: let the group write with chgrp GROUP and chmod 2770 on the folder, and pass with chmod 711 on those above it',
  ],
  [
    'reports.group',
    'no longer exists, because reports are for their owner alone: let others read them in the console, or copy them with registrar report --out',
  ],
  [
    'sources.expect.times',
    'no longer exists, because sizes of files are not compared: give control.rows with min and max, which a file must meet before it is imported',
  ],
  ['alerts.timeZone', 'no longer exists, because notifications are sent at once: remove it'],
  [
    'sources.control.whenDifferent',
    'no longer exists, because a file with another number of rows is always refused: remove it, and set rows.min and rows.max to what must be refused',
  ],
  ['sources.control.wait', 'no longer exists, because no file beside a drop is waited for: remove it'],
]);
