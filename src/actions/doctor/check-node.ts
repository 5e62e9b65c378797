import { OLDEST_NODE } from '../../version.js';
import { type Finding, findings } from './finding.js';

const node = findings('node', 'io');

/** Whether the Node.js that runs this is new enough. @param version as `process.version` has it. */
export function checkNode(version: string, path: string): Finding {
  const said = `${version} of Node.js, and Registrar needs ${OLDEST_NODE} or newer`;
  return isOlder(version)
    ? node.broken(
        path,
        `is ${said}`,
        'Install a newer Node.js, and then the modules of Registrar for it: npm ci where it is installed.',
      )
    : node.ok(path, `is ${said}`);
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
