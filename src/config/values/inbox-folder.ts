import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceConfig } from '../schema.js';

export function inboxFolder(workspace: string, source: Pick<SourceConfig, 'name' | 'inbox'>): string {
  return resolve(workspace, inboxName(source));
}

/** Relative to the workspace. */
export function inboxName({ name, inbox }: Pick<SourceConfig, 'name' | 'inbox'>): string {
  return (typeof inbox === 'object' ? inbox.folder : inbox) ?? `inbox/${name}`;
}

/** Two ways to one folder (a link, another spelling) are one folder; one that doesn't exist yet is its path. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
