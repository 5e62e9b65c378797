import { describe, expect, it } from 'vitest';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { restageFacts } from '../../src/ledger/drops/rows/kept-rows.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { rereadPage } from '../../src/ledger/submissions/reread.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { decider } from '../support/decider.js';
import { rowAt } from '../support/ledger-trace.js';
import { preparedCompletion } from '../support/prepared-completion.js';
import { ENGINES } from './engines.js';
import { fileOf, stagedDrop, stageLease } from './staged-drop.js';

const issue = {
  code: 'value-missing',
  column: 'Email',
  value: null,
  message: 'it is empty',
  remedy: 'fill it',
};
/** No row became a record. */
const NONE = { made: 0, repeated: 0, skipped: 0, invalid: 0, left: 0 };
const invalid = (line: number) => ({ kind: 'invalid' as const, line, issues: [issue as never] });

describe.each(ENGINES)('on $name', ({ open }) => {
  it('rows that became records are resolved by the decision that made these, once however often it is carried out', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [
      { content: 'C-1' },
      invalid(3),
      invalid(4),
      invalid(5),
    ]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 4 });
    expect(await restageFacts(ledger, dropId)).toEqual(
      new Map([
        [3, null],
        [4, null],
        [5, null],
      ]),
    );
    const { decisionId } = await openDecision(ledger, {
      kind: 'restage',
      who: decider('ada'),
      because: null,
      selection: { drop: dropId },
    });
    const target = {
      dropId,
      operation: submitCompletion,
      environment: 'main',
      sendAmendments: false,
      decisionId,
      runId: null,
    };
    const rows = [
      preparedCompletion(ledger, { content: 'C-3' }, 3),
      preparedCompletion(ledger, { content: 'C-1' }, 4),
    ];
    expect(await rereadPage(ledger, target, rows)).toEqual({ ...NONE, made: 1, repeated: 1 });
    expect(await rereadPage(ledger, target, rows)).toEqual({ ...NONE, left: 2 });
    expect([...(await restageFacts(ledger, dropId)).keys()]).toEqual([5]);
  });

  it('what is wrong with a row is kept in the order in which it was found', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const second = { ...issue, column: 'Course ID' };
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [
      { content: 'C-1' },
      { ...invalid(3), issues: [issue as never, second as never] },
    ]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 2 });
    expect((await rowAt(ledger, dropId, 2)).issues).toEqual([]);
    expect((await rowAt(ledger, dropId, 3)).issues).toEqual([issue, second]);
  });
});
