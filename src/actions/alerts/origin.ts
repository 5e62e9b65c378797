import { hostname } from 'node:os';
import type { ActionContext } from '../context.js';

/** The machine and the workspace that tell alerts. */
export function originOf({ root }: ActionContext['paths']): {
  readonly host: string;
  readonly workspace: string;
} {
  return { host: hostname(), workspace: root };
}
