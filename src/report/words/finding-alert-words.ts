import type { AlertKey } from '../../domain/alerts/alert.js';
import type { HEALTH_CODES } from '../../domain/health/health.js';
import { shellWord } from '../text/command-line.js';

/** What the alert about a finding of health says besides the finding. */
interface AlertOfFinding {
  /** What its end is called. It is about this finding alone: the subject may have others. */
  readonly over: string;
  /** The words of the command that its remedy names. */
  readonly command?: readonly string[];
}

const WORDS: Readonly<Record<(typeof HEALTH_CODES)[number], AlertOfFinding>> = {
  'configuration-invalid': { over: 'registrar.yaml can be used again', command: ['doctor'] },
  'ledger-missing': { over: 'the ledger is in its place again' },
  'ledger-locked': { over: 'the ledger can be written again' },
  'ledger-unusable': { over: 'the ledger can be written again', command: ['doctor'] },
  'disk-full': { over: 'the disk has enough room again' },
  unbalanced: { over: 'the books balance again', command: ['report'] },
  'service-gone': { over: 'a service is running again' },
  'service-stopped': { over: 'a service is running again, or none is expected' },
  'service-missing': { over: 'a service is running, or none is expected' },
  'service-silent': { over: 'the service answers again' },
  'run-failed': { over: 'runs end without an error again', command: ['run'] },
  'line-failed': { over: 'the line works again' },
  'line-died': { over: 'the line works again' },
  'line-overdue': { over: 'the line is on time again' },
  'backup-folder': { over: 'backups can be written again' },
  'backup-faulty': { over: 'the last backup can be restored' },
  'inbox-unreadable': { over: 'the inbox can be read again' },
  'inbox-unmounted': { over: 'the inbox is in its place again' },
  'file-waiting': { over: 'no file has waited too long', command: ['run'] },
  'file-interrupted': { over: 'the import was resumed', command: ['run'] },
  'file-unmatched': { over: 'no unmatched file is left', command: ['status'] },
  'file-refused': { over: 'no refused file is left', command: ['status'] },
  'file-late': { over: 'the file has come' },
  outage: { over: 'the environment can be used again', command: ['doctor'] },
  'environment-missing': { over: 'no row waits for it any more' },
  'rows-abandoned': { over: 'the rows of the dead process were taken up', command: ['run'] },
  deadline: { over: 'no row is late any more', command: ['status'] },
  'quota-paused': { over: 'the platform takes requests again' },
  'decision-interrupted': { over: 'the decision was carried out', command: ['run'] },
  'restore-open': {
    over: 'the restore was finished',
    command: ['restore', '--finish', '--because', 'TEXT'],
  },
  'channel-failing': { over: 'the channel takes notifications again' },
};

/** What the alert about a finding says besides it. */
export function alertOfFinding({ subject, code }: Pick<AlertKey, 'subject' | 'code'>): AlertOfFinding {
  const [name = '', which] = code.split(':');
  if (name === 'outage' && which !== undefined) {
    return { ...WORDS.outage, over: `the environment takes ${which} again` };
  }
  if (name === 'channel-failing') {
    return { ...WORDS[name], command: ['alerts', 'test', '--channel', shellWord(subject)] };
  }
  // Another version may have opened it, for a finding that this one doesn't know.
  return (WORDS as Readonly<Record<string, AlertOfFinding>>)[name] ?? { over: 'it is over' };
}
