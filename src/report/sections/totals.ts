import { DISPOSITIONS } from '../../domain/row.js';
import { ATTENTION_STATES, STATES, type State } from '../../domain/submission.js';
import { countSubmissions, type Report } from '../report.js';
import { numberText } from '../text/counted.js';
import { type Tone, terms } from '../words/terms.js';

/** A sum with its parts: where every row, submission or request went. */
export type Sum = ReturnType<typeof totals>[number];

/** What a part of a sum means for people. The tone decides the colour; the words beside the colour say the same. */
export type Part = ReturnType<typeof part>;

export type Sums = Pick<Report, 'rows' | 'dispositions' | 'states'> & {
  /** Absent: not counted. */
  readonly attempts?: Report['attempts'];
  readonly attentionRows: number;
};

export function totals({ rows, attempts, dispositions, states, attentionRows }: Sums) {
  const words = terms();
  const order: readonly State[] = ['accepted', ...STATES.filter((state) => state !== 'accepted')];
  const openInvalid = attentionRows - ATTENTION_STATES.reduce((sum, name) => sum + states[name], 0);
  const closed = dispositions.invalid - openInvalid;
  return [
    {
      figure: 'rows',
      title: 'Rows in the files',
      noun: 'row',
      done: 'read',
      total: rows,
      parts: DISPOSITIONS.map((name) => {
        const [tone, meaning] = words.dispositions[name];
        const since =
          name === 'invalid' && closed > 0 ? `${meaning}; ${numberText(closed)} closed since` : meaning;
        return part('dispositions', name, [tone, since], dispositions[name]);
      }),
    },
    {
      figure: 'submissions',
      title: 'State of each staged row',
      noun: 'submission',
      done: '',
      total: countSubmissions({ states }),
      parts: order.map((name) => part('states', name, words.states[name], states[name])),
    },
    ...(attempts === undefined ? [] : [requests(attempts)]),
  ];
}

function requests(attempts: Report['attempts']) {
  const note = `${numberText(attempts.accepted)} accepted, ${numberText(attempts.rejected)} refused`;
  return {
    figure: 'attempts.total',
    title: 'Requests sent',
    noun: 'request',
    done: '',
    total: attempts.total,
    parts: [
      { ...part('attempts', 'responses', ['good', note], attempts.responses), name: 'answered' },
      {
        ...part('attempts', 'noResponses', ['bad', 'sent again or in doubt'], attempts.noResponses),
        name: 'unanswered',
      },
      part('attempts', 'open', ['open', 'under way'], attempts.open),
    ],
  };
}

function part(of: string, name: string, [tone, meaning]: readonly [Tone, string], count: number) {
  return { figure: `${of}.${name}`, name, meaning, tone, count };
}
