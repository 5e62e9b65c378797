import { expect, test } from 'vitest';
import { cells, document, table } from './support/markdown.js';
import { innerUses, untestedVerbs, verbs } from './support/verbs.js';

/** More than these are hard to remember, and every other engine has to do all of them. */
const MAX_VERBS = 99;

test('the program queries the ledger by few verbs, and docs/design.md says of each what it does', () => {
  const listed = cells(table(document('docs/design.md'), "The ledger's verbs"));
  expect(listed).toEqual(verbs().map(({ room, name, sentence }) => [name, room, sentence]));
  expect(listed.length).toBeLessThanOrEqual(MAX_VERBS);
});

test('each verb has a test in test/conformance/, which uses the ledger by verbs alone', () => {
  expect(untestedVerbs()).toEqual([]);
  expect(innerUses()).toEqual([]);
});
