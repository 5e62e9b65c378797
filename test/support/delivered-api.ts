import { ALTERED } from './altered-texts.js';
import { testApi } from './api.js';
import { preparedWorkspace } from './prepared-workspace.js';
import { type TestWorkspace, testWorkspace } from './workspace.js';

/** An accepted row, one of an unknown learner, one that is held behind it, and an invalid one. */
export const DELIVERED_ROWS = `Email,Course ID,Completed on,Score
ada@example.com,C-1,2025-03-03T09:12:00Z,88
ben.unknown@example.com,C-1,2025-03-03T09:12:00Z,0
ben.unknown@example.com,C-2,2025-03-03T09:12:00Z,0
cy@example.com,C-1,2025-03-03T09:12:00Z,high
`;

/** The workspace that `deliver` uses. */
const DELIVERED_SPEC = {
  environments: { main: { inFlight: 1 } },
  sandbox: { altered: ALTERED.entities },
};

/** A delivered file with a row of each kind, a refused one, and programs of each role. */
export async function deliveredApi() {
  const workspace = await testWorkspace(DELIVERED_SPEC);
  await deliver(workspace);
  return withPrograms(workspace);
}

/** As `deliveredApi`, of a copy: what is delivered is delivered once for each test file. */
export async function copiedApi() {
  return withPrograms(await deliveredWorkspace(DELIVERED_SPEC));
}

const deliveredWorkspace = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...DELIVERED_SPEC, root });
  await deliver(workspace);
  return workspace;
});

/** Delivers a file with a row of each kind, and has another one refused. */
async function deliver(workspace: TestWorkspace): Promise<void> {
  const [accepted, altered] = [',C-1,2025-03-03T09:12:00Z,88', ',C&1,2025-03-03T09:12:00Z,88'];
  workspace.drop('rows.csv', DELIVERED_ROWS.replace(accepted, altered));
  workspace.drop('bad.csv', 'Who,What\nada.lovelace@example.com,C-1\n');
  await workspace.run();
}

/** The workspace's interface, and programs of each role. */
async function withPrograms(workspace: TestWorkspace) {
  const api = await testApi(workspace);
  const programs = {
    viewer: await api.client('viewer'),
    operator: await api.client('operator'),
    auditor: await api.client('auditor'),
  };
  const printed = async (...args: string[]) => JSON.parse((await workspace.cli(...args, '--json')).stdout);
  return { workspace, api, ...programs, printed };
}
