import { dataFile } from '../../config/values/data-file.js';
import {
  type Alert,
  type AlertKey,
  type AlertKind,
  type AlertWords,
  type ConditionOf,
  closesAtMs,
} from '../../domain/alerts/alert.js';
import type { HealthPart } from '../../domain/health/health.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { commandLine, commandOf, shellWord } from '../text/command-line.js';
import { localTime } from '../text/local-time.js';
import { sentence } from '../text/sentence.js';
import { causeAdvice } from './cause-advice.js';
import { causeWords } from './causes.js';
import { sinceText } from './health-words.js';

/** A condition that is over is described in the past tense. @param workspace the folder to name in commands; null: none. */
export function alertWords(
  alert: Alert,
  { workspace, recoverAfterMs }: { readonly workspace: string | null; readonly recoverAfterMs: number },
): AlertWords {
  const { over, ...words } = wordsOf(alert, workspace);
  const { overAt, closedAt, openedAt } = alert;
  if (overAt === null || alert.kind === 'run') return words;
  const text =
    closedAt === null
      ? `Not seen since ${localTime(overAt)}; closes at ${localTime(closesAtMs(alert, recoverAfterMs))} unless it returns.`
      : `From ${localTime(('since' in alert.facts ? alert.facts.since : null) ?? openedAt)} to ${localTime(overAt)}.`;
  return { title: `${alert.subject}: ${over}`, text, remedy: '', command: null };
}

/** The words while it is open, and what its end is called. */
type Words = AlertWords & { readonly over: string };

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
    case 'run':
      return {
        title: `Run ${alert.subject} ended: ${alert.code}`,
        text: `It imported ${countOf(alert.facts.files, 'file')} with ${countOf(alert.facts.rows, 'row')}.`,
        remedy: '',
        command: commandOf(['report', '--run', alert.subject], workspace),
        over: 'it has ended',
      };
    default:
      return findingText(alert, workspace);
  }
}

const OF_FINDINGS =
  dataFile<Readonly<Record<string, { readonly over: string; readonly command?: readonly string[] }>>>(
    'texts/alerts',
  );

function ofFinding({ subject, code }: Pick<AlertKey, 'subject' | 'code'>) {
  const [name = '', which] = code.split(':');
  // Another version may have opened it, for a finding that this one doesn't know.
  const words = OF_FINDINGS()[name] ?? { over: 'it is over' };
  if (name === 'outage' && which !== undefined)
    return { ...words, over: `the environment takes ${which} again` };
  if (name !== 'channel-failing') return words;
  return { ...words, command: ['alerts', 'test', '--channel', shellWord(subject)] };
}

function findingText(alert: Of<HealthPart>, workspace: string | null): Words {
  const { facts, openedAt } = alert;
  const { over, command } = ofFinding(alert);
  return {
    title: facts.message.replace(/\.$/, ''),
    text: sinceText({ ...facts, since: facts.since ?? openedAt }),
    remedy: facts.remedy,
    command: command === undefined ? null : commandOf(command, workspace),
    over,
  };
}

function causeText({ subject, code, facts }: Of<'cause'>, workspace: string | null): Words {
  const { rows, state, cause } = facts;
  const { reason, remedy } = causeWords({ state, cause, code });
  const states = [{ state, count: rows }];
  const { remedies, choices } = causeAdvice({ cause, code, states, drops: [] }, {});
  const [first] = remedies;
  // A command that is right in one case only comes after its condition.
  const either = choices.map((choice) => `${choice.when}: ${commandLine(choice.remedy, workspace)}.`);
  return {
    title: `${subject}: ${countOf(rows, 'row')} ${agreeing(rows, 'needs', 'need')} attention (${code})`,
    text: sentence(reason),
    remedy: [remedy, ...either].join(' '),
    command: first === undefined ? commandOf(['status'], workspace) : commandLine(first, workspace),
    over: `no row needs attention for this cause any more (${code})`,
  };
}

type Of<Kind extends AlertKind> = Alert & { [One in Kind]: ConditionOf<One> }[Kind];
