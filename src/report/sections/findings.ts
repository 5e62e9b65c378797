import { ALTERATION_KINDS } from '../../domain/text/alteration.js';
import { agreeing } from '../../domain/text/count-of.js';
import { correctionText } from '../correction-text.js';
import type { Report } from '../report.js';
import { outageSubject } from '../status/outages.js';
import { counted } from '../text/counted.js';
import { sentence } from '../text/sentence.js';
import { terms } from '../words/terms.js';
import { code, name, type Section, time } from './section.js';

/** What a run found besides rows that need attention; a section that has nothing to say is left out. */
export function findings(report: Report): { readonly [Id in 'outages' | 'others']: readonly Section[] } {
  const some = (sections: readonly Section[]) => sections.filter(({ items }) => items?.length !== 0);
  return {
    outages: some([outages(report)]),
    others: some([unmatched(report), corrections(report), notices(report), omitted(report), altered(report)]),
  };
}

function outages(report: Report): Section {
  return {
    id: 'outages',
    title: 'Unavailable',
    items: report.outages.map((outage) => {
      const { reason, remedy, since, runs, lastAt, endedAt, waiting } = outage;
      const rows = `${counted(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for it, and nothing is lost`;
      return {
        lead: sentence(outageSubject(outage)),
        text: `${sentence(reason)} ${remedy}`,
        note: [
          ...['Since ', time(since), `, found by ${counted(runs, 'run')}, last at `, time(lastAt), '; '],
          ...[code(outage.code), '; '],
          ...(endedAt === null ? [rows] : ['it could be used again at ', time(endedAt)]),
        ],
      };
    }),
  };
}

/** Unmatched files in the inboxes, each with its remedy; none where the inboxes were not read. */
function unmatched({ unmatched: files }: Report): Section {
  return {
    id: 'unmatched',
    title: 'Files not imported',
    note: 'As of this report. None of their rows counts unless noted.',
    items: (files ?? []).map(({ path, reason, remedy }) => ({
      chip: { text: 'not imported', tone: 'bad' },
      lead: name(path),
      text: `${reason}. ${remedy}`,
    })),
  };
}

function corrections(report: Report): Section {
  return {
    id: 'corrections',
    title: 'Corrections',
    items: report.corrections.map((correction) => ({
      lead: [name(correction.file), ` became decision ${correction.decision}:`],
      text: correctionText(correction),
    })),
  };
}

function notices(report: Report): Section {
  return {
    id: 'notices',
    title: 'Noticed',
    items: report.notices.map(({ code: notice, environment, message, remedy, count }) => ({
      lead: sentence(message),
      text: remedy,
      note: [
        code(notice),
        `, environment ${environment}, seen ${agreeing(count, 'once', counted(count, 'time'))}`,
      ],
    })),
  };
}

function omitted(report: Report): Section {
  return {
    id: 'omitted',
    title: 'Left out',
    items: report.omitted.map(({ code: issue, column, count, reason, example }) => ({
      lead: [
        { figure: `omitted.${issue}`, value: count, noun: 'row' },
        ' without a value from ',
        name(column),
        '.',
      ],
      text: sentence(reason),
      note: [code(issue), ', such as ', name(example)],
    })),
  };
}

function altered({ altered: { counts } }: Report): Section {
  const total = ALTERATION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return {
    id: 'altered',
    title: 'Altered by the platform',
    note: `${counted(total, 'text')} came back changed: registrar report --json has both versions.`,
    items: ALTERATION_KINDS.filter(() => total > 0).map((kind) => ({
      lead: { figure: `altered.counts.${kind}`, value: counts[kind] },
      text: terms().alterations[kind],
    })),
  };
}
