import { join, resolve } from 'node:path';
import type { SourceConfig } from './schema.js';

/** The folder a source's files are taken from, absolute: its `inbox` seen from the workspace, else inbox/<name>. */
export function inboxFolder(workspace: string, source: Pick<SourceConfig, 'name' | 'inbox'>): string {
  return source.inbox === undefined
    ? join(resolve(workspace), 'inbox', source.name)
    : resolve(workspace, source.inbox);
}
