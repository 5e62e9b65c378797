import { type Alert, type AlertKind, type ConditionOf, closesAtMs } from '../../domain/alerts/alert.js';
import { msFromIso } from '../../domain/clock.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { EQUATIONS } from '../../ledger/books/equations.js';
import { faultInWords, faultRemedy } from '../../platform/answers/fault-words.js';
import { commandLine, commandOf, shellWord } from '../text/command-line.js';
import { localTime } from '../text/local-time.js';
import { causeAdvice } from './cause-advice.js';
import { causeWords } from './cause-words.js';

/** An alert in words, without anything personal. */
export interface WordsOfAlert {
  /** "academy: 412 rows need attention (learner-unknown)" */
  readonly title: string;
  /** What happened; '' where the title says all. */
  readonly text: string;
  /** What to do; '' where nothing is to be done, as for an alert that is over. */
  readonly remedy: string;
  /** null: there is no command for it. */
  readonly command: string | null;
}

/**
 * An alert in words, and what to do about it. What isn't found any more is told in the past.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 */
export function alertWords(
  alert: Alert,
  { workspace, recoverAfterMs }: { readonly workspace: string | null; readonly recoverAfterMs: number },
): WordsOfAlert {
  const { over, ...words } = wordsOf(alert, workspace);
  const { overAt, closedAt, openedAt } = alert;
  if (overAt === null) return words;
  const time = (iso: string) => localTime(msFromIso(iso));
  const text =
    closedAt === null
      ? `Not seen since ${time(overAt)}; closes at ${localTime(closesAtMs(alert, recoverAfterMs))} unless it returns.`
      : `From ${time('since' in alert.facts ? alert.facts.since : openedAt)} to ${time(overAt)}, noticed at ${time(closedAt)}.`;
  return { title: `${alert.subject}: ${over}`, text, remedy: '', command: null };
}

/** The words while it is open, and what its end is called. */
type Words = WordsOfAlert & { readonly over: string };

function wordsOf(alert: Alert, workspace: string | null): Words {
  switch (alert.kind) {
    case 'cause':
      return causeText(alert, workspace);
    case 'share':
      return {
        title: `${alert.subject}: ${alert.facts.percent} % of the latest rows need attention`,
        text: `${alert.facts.attention} of ${countOf(alert.facts.rows, 'row')} of its last day of files.`,
        remedy: 'A column or a setting may be wrong: see which causes most rows have.',
        command: commandOf(['status'], workspace),
        over: 'a usual share of the rows needs attention again',
      };
    case 'set-aside':
      return {
        title: `${alert.subject}: ${countOf(alert.facts.files, 'file')} set aside (${alert.facts.codes})`,
        text: `None of ${agreeing(alert.facts.files, 'its', 'their')} rows were imported.`,
        remedy: 'The reason lies beside each file in rejected/, and status names it with what to do.',
        command: commandOf(['status'], workspace),
        over: 'no file is set aside any more',
      };
    case 'drop-missing':
    case 'drop-small':
    case 'drop-large':
      return silenceText(alert);
    case 'environment-down':
    case 'credentials-refused':
      return outageText(alert, workspace);
    case 'late':
      return lateText(alert, workspace);
    case 'unbalanced':
      return {
        title: `the books don't balance (run ${alert.facts.run})`,
        text: `${countOf(alert.facts.equations, 'control equation')} ${agreeing(alert.facts.equations, "doesn't", "don't")} hold, of: ${Object.values(EQUATIONS).join('; ')}.`,
        remedy: 'Keep the ledger as it is, and look at the report.',
        command: commandOf(['report', '--run', String(alert.facts.run)], workspace),
        over: 'the books balance again',
      };
    case 'channel-failing':
      return {
        title: `alert channel ${alert.subject} doesn't work`,
        text: `It ${alert.facts.error}; tried ${countOf(alert.facts.tries, 'time')} since ${localTime(msFromIso(alert.facts.since))}.`,
        remedy: 'What it has not taken is kept, and tried again. Correct it, and try it.',
        command: commandOf(['alerts', 'test', '--channel', shellWord(alert.subject)], workspace),
        over: 'nothing waits for the alert channel any more',
      };
  }
}

function causeText({ subject, code, facts }: Of<'cause'>, workspace: string | null): Words {
  const { rows, state, cause } = facts;
  const { reason, remedy } = causeWords({ state, cause, code });
  const states = [{ state, count: rows }];
  const { remedies, choices } = causeAdvice({ cause, code, states, drops: [] }, {});
  const [first] = remedies;
  // A command that is right in one case only stands behind its condition.
  const either = choices.map((choice) => `${choice.when}: ${commandLine(choice.remedy, workspace)}.`);
  return {
    title: `${subject}: ${countOf(rows, 'row')} ${agreeing(rows, 'needs', 'need')} attention (${code})`,
    text: `${sentence(reason)}.`,
    remedy: [remedy, ...either].join(' '),
    command: first === undefined ? commandOf(['status'], workspace) : commandLine(first, workspace),
    over: `no row needs attention for this cause any more (${code})`,
  };
}

function silenceText(alert: Of<'drop-missing' | 'drop-small' | 'drop-large'>): Words {
  const { subject } = alert;
  if (alert.kind === 'drop-missing') {
    const { expectedBy, latestAt } = alert.facts;
    const latest =
      latestAt === null ? 'None has come so far.' : `The latest came at ${localTime(msFromIso(latestAt))}.`;
    return {
      title: `${subject}: no file has come by ${localTime(msFromIso(expectedBy))}`,
      text: latest,
      remedy: 'Ask the sender whether the export ran, and check that its folder can be reached.',
      command: null,
      over: 'a file has come',
    };
  }
  const size = alert.kind === 'drop-small' ? 'smaller' : 'larger';
  return {
    title: `${subject}: the latest file is much ${size} than usual`,
    text: `It has ${countOf(alert.facts.rows, 'row')}; ${alert.facts.usual} are usual.`,
    remedy: 'Ask the sender whether the export is complete and covers the right period.',
    command: null,
    over: 'the latest file has its usual size',
  };
}

function outageText(
  { kind, subject, code, facts }: Of<'environment-down' | 'credentials-refused'>,
  workspace: string | null,
): Words {
  const { fault, host, hostName, since, workedUntil, waiting } = facts;
  const why = { code: fault, host };
  const what = code === '' ? "can't be used" : `doesn't take ${code}`;
  const worked =
    workedUntil === null
      ? ''
      : `It worked until ${localTime(msFromIso(workedUntil))}, so the settings were right then. `;
  const refused = kind === 'credentials-refused' ? ': credentials are refused' : '';
  return {
    title: `${subject}: the environment ${what}${refused}`,
    text: `${sentence(faultInWords(why))} (${hostName}), since ${localTime(msFromIso(since))}. ${worked}${countOf(waiting, 'row waits', 'rows wait')} for it; nothing is lost.`,
    remedy: faultRemedy(subject, why),
    command: commandLine({ action: 'doctor' }, workspace),
    over: code === '' ? 'the environment can be used again' : `the environment takes ${code} again`,
  };
}

function lateText({ subject, facts }: Of<'late'>, workspace: string | null): Words {
  const { rows, deliverBy, endsAt } = facts;
  const by = localTime(msFromIso(deliverBy));
  const waiting = `${countOf(rows, 'row')} ${agreeing(rows, 'waits', 'wait')}`;
  return {
    title: `${subject}: the backlog ${endsAt === null ? 'missed' : 'will miss'} the ${by} deadline`,
    text:
      endsAt === null
        ? `${countOf(rows, 'row')} ${agreeing(rows, 'is', 'are')} still waiting.`
        : `${waiting}; at the quota, delivery ends at ${localTime(msFromIso(endsAt))}.`,
    remedy: 'Check that a run is delivering. Split the file or ask for a higher quota.',
    command: commandOf(['status'], workspace),
    over: 'the deadline is met again',
  };
}

/** An alert of a kind. */
type Of<Kind extends AlertKind> = Alert & { [One in Kind]: ConditionOf<One> }[Kind];

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
