import { expect, it } from 'vitest';
import { confirmMapping, isMappingConfirmed, savedMapping } from '../../src/ledger/saved-mapping.js';
import { decider } from '../support/decider.js';
import { stage, testLedger } from '../support/staged-ledger.js';

it('the mapping in force is that of the last published drop of the source and the operation', () => {
  const ledger = testLedger();
  expect(savedMapping(ledger, 'academy', 'submit-completion')).toBeNull();
  stage(ledger, [{}], { publish: false });
  expect(savedMapping(ledger, 'academy', 'submit-completion')).toBeNull();
  ledger.sqlite.exec(`update "drop" set state = 'refused', refusal = 'given up'`);
  stage(ledger, [{ content: 'C-1' }]);
  stage(ledger, [{ content: 'C-2' }]);
  const last = ledger.sqlite.prepare('select file_name from "drop" order by drop_id desc').pluck().get();
  stage(ledger, [{ content: 'C-3' }], { publish: false });
  expect(savedMapping(ledger, 'academy', 'submit-completion')).toEqual({
    file: last,
    header: ['Email'],
    mapping: {},
  });
  expect(savedMapping(ledger, 'another', 'submit-completion')).toBeNull();
  expect(savedMapping(ledger, 'academy', 'add-skills')).toBeNull();
});

it('a confirmed mapping is confirmed for its source alone, by a decision that says who', () => {
  const ledger = testLedger();
  confirmMapping(ledger, 'academy', '{"user-id":"email"}', decider('ada'));
  expect(isMappingConfirmed(ledger, 'academy', '{"user-id":"email"}')).toBe(true);
  expect(isMappingConfirmed(ledger, 'academy', '{"user-id":"login"}')).toBe(false);
  expect(isMappingConfirmed(ledger, 'another', '{"user-id":"email"}')).toBe(false);
  expect(ledger.sqlite.prepare('select kind, who, finished_at is null as open from decision').all()).toEqual([
    { kind: 'confirm', who: 'ada', open: 0 },
  ]);
});
