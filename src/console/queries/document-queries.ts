import type { ActionContext } from '../../actions/context.js';
import { health, status } from '../../actions/status.js';
import { maskRefusal } from '../../report/words/mask.js';
import { firingsBetween, nextSlotMs } from '../../schedule/slots.js';

/** What the HTTP interface reads: the documents of the command line. */
export const DOCUMENT_QUERIES = {
  statusDocument: async (context: ActionContext, { isMasked }: { readonly isMasked: boolean }) => {
    const found = await status(context, { workspace: null, nextSlotMs });
    if (!isMasked) return found;
    const setAside = found.setAside.map((drop) => ({ ...drop, refusal: maskRefusal(drop.refusal) }));
    return { ...found, setAside };
  },
  healthDocument: (context: ActionContext, _request: Readonly<Record<string, never>>) =>
    health(context, { firings: firingsBetween }),
} as const;
