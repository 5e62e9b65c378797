import type { Role } from '../../domain/access/role.js';
import type { Visit } from '../visits/visit.js';
import type { Desk } from '../work/desk.js';

/** An address of the console that answers with a whole document or a file, outside of the frame of the pages. */
export interface ServedDocument {
  /** As the router takes it. */
  readonly path: string;
  /** Who may have it; absent: all users of the console. */
  readonly roles?: readonly Role[];
  /** Throws OperatorError for an address that names nothing. Headers that the answer lacks are those of a page. */
  serve(visit: Visit, desk: Desk): Promise<Response>;
}
