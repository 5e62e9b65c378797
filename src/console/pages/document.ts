import type { Role } from '../../domain/access/role.js';
import type { Desk } from '../server/desk.js';
import type { InParts } from '../server/in-parts.js';
import type { Visit } from '../visits/visit.js';

/** An address of the console that answers with a whole document or a file, outside of the frame of the pages. */
export interface ServedDocument {
  /** As the router takes it. */
  readonly path: string;
  /** Who may have it; absent: everybody whom the console knows. */
  readonly roles?: readonly Role[];
  /** Throws OperatorError for an address that names nothing. Headers that the answer lacks are those of a page. */
  serve(visit: Visit, desk: Desk): Promise<Response> | PageInParts;
}

/** A whole page with headers of its own, which may be long in coming. */
export interface PageInParts extends InParts {
  readonly headers: Readonly<Record<string, string>>;
}
