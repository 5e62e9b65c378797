import { testWorkspace, type WorkspaceSpec } from '../support/workspace.js';

/** A workspace whose one environment differs so. */
export const withMain = (main: Readonly<Record<string, unknown>>, more: WorkspaceSpec = {}) =>
  testWorkspace({ environments: { main }, skipReceivedCheck: 'another server answers', ...more });

export const at = (url: string) => ({ baseUrl: url, authUrl: url });
