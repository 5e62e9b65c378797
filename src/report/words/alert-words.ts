import { dataFile } from '../../config/values/data-file.js';
import {
  type Alert,
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

/** A condition that is over keeps its title, marked as resolved. @param workspace the folder to name in commands; null: none. */
export function alertWords(
  alert: Alert,
  { workspace, recoverAfterMs }: { readonly workspace: string | null; readonly recoverAfterMs: number },
): AlertWords {
  const words = wordsOf(alert, workspace);
  const { overAt, closedAt, openedAt } = alert;
  if (overAt === null || alert.kind === 'run') return words;
  const since = ('since' in alert.facts ? alert.facts.since : null) ?? openedAt;
  const text =
    closedAt === null
      ? `Not seen since ${localTime(overAt)}; closes at ${localTime(closesAtMs(alert, recoverAfterMs))} unless it returns.`
      : `From ${localTime(since)} to ${localTime(overAt)}.`;
  return { title: `Resolved: ${words.title}`, text, remedy: '', command: null };
}

function wordsOf(alert: Alert, workspace: string | null): AlertWords {
  switch (alert.kind) {
    case 'cause':
      return causeText(alert, workspace);
    case 'share':
      return {
        title: `${alert.subject}: ${alert.facts.percent} % of the latest rows need attention`,
        text: `${alert.facts.attention} of ${countOf(alert.facts.rows, 'row')} of its last day of files.`,
        remedy: 'A column or a setting may be wrong: see which causes most rows have.',
        command: commandOf(['status'], workspace),
      };
    case 'run':
      return {
        title: `Run ${alert.subject} ended: ${alert.code}`,
        text: `It imported ${countOf(alert.facts.files, 'file')} with ${countOf(alert.facts.rows, 'row')}.`,
        remedy: '',
        command: commandOf(['report', '--run', alert.subject], workspace),
      };
    default:
      return findingText(alert, workspace);
  }
}

/** By the code of a finding of health: the words of the command that its remedy names. */
const COMMANDS = dataFile<Readonly<Record<string, readonly string[]>>>('texts/alerts');

function findingText(alert: Of<HealthPart>, workspace: string | null): AlertWords {
  const { subject, code, facts, openedAt } = alert;
  const [name = ''] = code.split(':');
  const command =
    name === 'channel-failing' ? ['alerts', 'test', '--channel', shellWord(subject)] : COMMANDS()[name];
  return {
    title: facts.message.replace(/\.$/, ''),
    text: sinceText({ ...facts, since: facts.since ?? openedAt }),
    remedy: facts.remedy,
    command: command === undefined ? null : commandOf(command, workspace),
  };
}

function causeText({ subject, code, facts }: Of<'cause'>, workspace: string | null): AlertWords {
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
  };
}

type Of<Kind extends AlertKind> = Alert & { [One in Kind]: ConditionOf<One> }[Kind];
