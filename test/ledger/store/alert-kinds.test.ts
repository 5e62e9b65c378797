import { expect, it } from 'vitest';
import { ALERT_KINDS, NOTIFICATION_EVENTS } from '../../../src/domain/alerts/alert.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { testLedger } from '../../support/staged-ledger.js';

it('the ledger keeps every kind of alert and all its notifications, and nothing else', () => {
  const { sqlite } = fileOf(testLedger());
  const insert = (kind: string, what: string) => {
    const { lastInsertRowid } = sqlite
      .prepare(
        "insert into alert (kind, subject, code, opened_at, last_seen_at, facts) values (?, ?, '', '', '', '{}')",
      )
      .run(kind, `${kind} ${what}`);
    sqlite
      .prepare("insert into notification (alert_id, channel, what, due_at) values (?, 'x', ?, '')")
      .run(lastInsertRowid, what);
  };
  for (const kind of ALERT_KINDS) for (const what of NOTIFICATION_EVENTS) insert(kind, what);
  expect(() => insert('flood', 'opened')).toThrow(/CHECK/);
  expect(() => insert('cause', 'forgotten')).toThrow(/CHECK/);
});
