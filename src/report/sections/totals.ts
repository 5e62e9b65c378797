import { DISPOSITIONS, type Disposition } from '../../domain/row.js';
import { STATES, type State } from '../../domain/submission.js';
import { countSubmissions, type Report } from '../report.js';
import { numberText } from '../text/counted.js';

/** A sum with its parts: where every row, submission or request went. */
export interface Sum {
  /** The name of the total in the report's document. */
  readonly figure: string;
  readonly title: string;
  /** What is added up: "row read", "submission". */
  readonly thing: string;
  readonly done: string;
  readonly total: number;
  readonly parts: readonly Part[];
}

/** What a part of a sum means for people. The tone decides the colour; the words beside the colour say the same. */
export interface Part {
  readonly figure: string;
  readonly name: string;
  readonly meaning: string;
  readonly tone: 'good' | 'open' | 'bad' | 'calm';
  readonly count: number;
}

/** The three sums that show where every row went: rows, submissions, requests. */
export function totals({ rows, attempts, dispositions, states }: Report): readonly Sum[] {
  const part = <Name extends string>(of: string, words: Words<Name>, name: Name, count: number): Part => {
    const [tone, meaning] = words[name];
    return { figure: `${of}.${name}`, name, meaning, tone, count };
  };
  const order: readonly State[] = ['accepted', ...STATES.filter((state) => state !== 'accepted')];
  const said = `${numberText(attempts.accepted)} accepted, ${numberText(attempts.rejected)} refused`;
  return [
    {
      figure: 'rows',
      title: 'Rows in the files',
      thing: 'row',
      done: 'read',
      total: rows,
      parts: DISPOSITIONS.map((name) => part('dispositions', DISPOSITION_WORDS, name, dispositions[name])),
    },
    {
      figure: 'submissions',
      title: 'State of each staged row',
      thing: 'submission',
      done: '',
      total: countSubmissions({ states }),
      parts: order.map((name) => part('states', STATE_WORDS, name, states[name])),
    },
    {
      figure: 'attempts.total',
      title: 'Requests sent',
      thing: 'request',
      done: '',
      total: attempts.total,
      parts: [
        {
          figure: 'attempts.responses',
          name: 'answered',
          meaning: said,
          tone: 'good',
          count: attempts.responses,
        },
        {
          figure: 'attempts.noResponses',
          name: 'unanswered',
          meaning: 'sent again or in doubt',
          tone: 'bad',
          count: attempts.noResponses,
        },
        { figure: 'attempts.open', name: 'open', meaning: 'under way', tone: 'open', count: attempts.open },
      ],
    },
  ];
}

type Words<Name extends string> = Readonly<Record<Name, readonly [Part['tone'], string]>>;

const DISPOSITION_WORDS: Words<Disposition> = {
  staged: ['good', 'to be delivered'],
  amended: ['good', 'corrections of known rows'],
  duplicate: ['calm', 'known already'],
  invalid: ['bad', 'became no record'],
  skipped: ['calm', 'not to be delivered'],
  'non-data': ['calm', 'titles and totals'],
  blank: ['calm', 'empty'],
};

const STATE_WORDS: Words<State> = {
  accepted: ['good', 'by the platform'],
  waiting: ['open', 'to be sent'],
  sending: ['open', 'under way'],
  held: ['bad', 'not sent for a reason'],
  rejected: ['bad', 'refused by the platform'],
  failed: ['bad', 'after every try'],
  'in-doubt': ['bad', 'perhaps arrived'],
  dismissed: ['calm', 'by a person'],
  replaced: ['calm', 'by a newer row'],
};
