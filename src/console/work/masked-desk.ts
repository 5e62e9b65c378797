import { mapStrings } from '../../domain/text/map-strings.js';
import { maskAddresses } from '../../report/words/mask.js';
import type { Ask } from '../queries/queries.js';
import type { Desk } from './desk.js';

/**
 * The desk of somebody who may see no personal data: no answer has an e-mail address, whatever it stands in, such as the name of a
 * file. The page of a report comes masked as a document.
 */
export function maskedDesk(desk: Desk): Desk {
  const ask = async (...[name, request]: Parameters<Ask>) => {
    const answer = await desk.ask(name, request);
    return name === 'reportPage' ? answer : mapStrings(answer, maskAddresses);
  };
  return { ...desk, ask: ask as Ask };
}
