import { expect, it } from 'vitest';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import { renderHtml } from '../../../src/report/page/html.js';
import { sums } from '../../../src/report/page/sums.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger } from '../../support/browsed-ledger.js';
import { testLedger } from '../../support/staged-ledger.js';

it('invalid rows that were closed since are counted beside those that were read, and only open ones lead somewhere', async () => {
  const { sums: books } = await QUERIES.overview(actionContext(await browsedLedger()), {});
  const links = { rows: (state: string) => (state === 'invalid' ? '/rows?invalid' : null) };
  const { invalid } = books.dispositions;
  expect(invalid).toBeGreaterThan(1);
  const closed = { ...books, attentionRows: books.attentionRows - 1 };
  expect(renderHtml(sums(books, links))).not.toContain('closed since');
  const shown = renderHtml(sums(closed, links));
  expect(shown).toContain('with errors; 1 closed since');
  expect(shown.match(/<a href/g)).toHaveLength(2);
});

it('a sum of nothing has no part, and one that lacks its parts says so', async () => {
  const { sums: books } = await QUERIES.overview(actionContext(testLedger()), {});
  expect(renderHtml(sums(books))).not.toContain('class="op"');
  expect(renderHtml(sums({ ...books, rows: 2 }))).toContain('≠</span> <span class="part bad"><b>0</b>');
});
