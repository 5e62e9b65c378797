import { hostname } from 'node:os';
import type { AlertMessage } from '../../alerts/message.js';
import type { Workspace } from '../context.js';

/** The machine and the workspace that send notifications, and where people see more of them. */
export function originOf({
  paths,
  config,
}: Pick<Workspace, 'paths' | 'config'>): Pick<AlertMessage, 'host' | 'workspace' | 'console'> {
  return { host: hostname(), workspace: paths.root, console: config.console.url ?? null };
}
