import { map } from '../../../actions/map.js';
import { mapSeries } from '../../../domain/process/series.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { planDecision } from '../../work/console-context.js';
import { deciderOf, type Visit } from '../../work/visit.js';
import { type Page, type PageView, sectionOf } from '../page.js';
import {
  CHANGED_SINCE,
  formToken,
  hiddenFields,
  linesText,
  notice,
  reasonField,
  reasonIn,
} from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { expectedRefusal, problemText } from '../problem.js';

const PATH = '/learners/many';
const PAGE = { title: 'Map many learners', section: '/learners' } as const;

/** Each pair is planned for the preview, and is a decision. */
const MAX_PAIRS = 200;

/** A wrong identifier and the right one, as people write them. Personal. */
type Pair = Readonly<Record<'old' | 'new', string>>;

type Planned = Pair & ({ readonly mapping: Parameters<typeof map.preview>[0] } | { readonly why: string });

/** The form for many identifiers, two columns, with a suggestion for each unknown learner that has a similar one. */
export const mapManyPage: Page = {
  path: PATH,
  roles: ['operator'],
  async show(visit) {
    const { unknown } = await visit.query('learners', { named: null, from: 0, count: MAX_PAIRS });
    const lines = unknown.flatMap(({ id, near: [first] }) => (first ? [`${id},${first.id}`] : []));
    return asks(visit, lines.join('\n'), lines.length);
  },
  async submit(visit, fields) {
    const text = fields.one('pairs');
    const pairs = pairsIn(text);
    if (pairs.length === 0) return { page: asks(visit, text, 0) };
    const planned = await mapSeries(pairs.slice(0, MAX_PAIRS), (pair) => plan(visit, pair));
    const because = reasonIn(fields);
    const again = (message: string | null, status: 200 | 409) => ({
      page: { ...preview(visit, planned, message, because ?? ''), status },
    });
    if (fields.one('fingerprint') === '') return again(null, 200);
    if (because === null)
      return again('Give a reason: it is kept with each decision. Nothing was changed.', 409);
    if (fields.one('fingerprint') !== fingerprintOf(planned)) return again(CHANGED_SINCE, 409);
    for (const one of planned)
      if ('mapping' in one) await map.carryOut(visit.actionContext(), one.mapping, deciderOf(visit), because);
    return { to: '/audit?kind=map' };
  },
};

/** The first two columns of each line: of a CSV file, or as pasted from a spreadsheet. */
function pairsIn(text: string): readonly Pair[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [old = '', now = ''] = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    return old === '' || now === '' ? [] : [{ old, new: now }];
  });
}

async function plan(visit: Visit, pair: Pair): Promise<Planned> {
  try {
    return { ...pair, mapping: await planDecision(visit, 'map', pair) };
  } catch (error) {
    return { ...pair, why: problemText(expectedRefusal(error)) };
  }
}

/** What the preview has shown: another text once a plan is another. */
function fingerprintOf(planned: readonly Planned[]): string {
  return planned.map((one) => ('mapping' in one ? map.preview(one.mapping).fingerprint : '-')).join(' ');
}

function asks(visit: Visit, text: string, suggested: number): PageView {
  return {
    ...PAGE,
    content: sectionOf('pairs-title', 'Which identifiers are wrong?')`
<p class="second">${suggested === 0 ? '' : `${counted(suggested, 'similar identifier')} ${agreeing(suggested, 'is', 'are')} suggested. `}A similar identifier may belong to another person: check each line, and delete those that are wrong.</p>
<form method="post" action="${PATH}">${formToken(visit)}
<p class="field"><label for="pairs">The identifier in the files, a comma, the right one: a line each, at most ${MAX_PAIRS}</label>
<textarea id="pairs" name="pairs" rows="12" required spellcheck="false" autocapitalize="none">
${linesText(text)}</textarea></p>
<p class="buttons"><button>Preview</button> <a href="/learners">Cancel</a></p></form>`,
  };
}

function preview(
  visit: Visit,
  planned: readonly Planned[],
  message: string | null,
  because: string,
): PageView {
  const good = planned.flatMap((one) => ('mapping' in one ? [one.mapping] : []));
  const bad = planned.length - good.length;
  const rows = good.reduce((sum, mapping) => sum + mapping.rows.length, 0);
  const headline = `${counted(good.length, 'learner')} with ${counted(rows, 'row')} can be mapped`;
  return {
    ...PAGE,
    content: html`${notice(message)}${sectionOf('plan', headline)`
${bad === 0 ? '' : html`<p class="second">${counted(bad, 'line')} can’t, and ${agreeing(bad, 'is', 'are')} left out.</p>`}
${listTable('What the lines change', planned, COLUMNS)}
<form method="post" action="${PATH}">${formToken(visit)}${hiddenFields({ fingerprint: fingerprintOf(planned) })}<textarea name="pairs" hidden>
${linesText(planned.map((pair) => `${pair.old},${pair.new}`).join('\n'))}</textarea>
${good.length === 0 ? '' : reasonField(true, because)}
<p class="buttons">${good.length === 0 ? '' : html`<button>Map ${numberText(good.length)}</button> `}<a href="${PATH}">Change the list</a></p></form>`}`,
  };
}

const COLUMNS: readonly Column<Planned>[] = [
  { title: 'In the files', cell: ({ old }) => html`<bdi>${old}</bdi>` },
  { title: 'Right', cell: (one) => html`<bdi>${one.new}</bdi>` },
  { title: 'Rows', isNumber: true, cell: (one) => ('mapping' in one ? one.mapping.rows.length : '–') },
  { title: 'Why not', cell: (one) => ('why' in one ? one.why : '') },
];
