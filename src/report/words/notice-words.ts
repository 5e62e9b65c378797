import { durationText } from '../../config/values/duration.js';
import type { Notice } from '../../domain/environment/notice.js';
import { countOf } from '../../domain/text/count-of.js';

/** A notice as a sentence without its full stop, and what to do about it. */
export function noticeWords(environment: string, notice: Notice): { message: string; remedy: string } {
  switch (notice.code) {
    case 'other-consumer': {
      const limit = notice.requests - notice.counted + notice.ours;
      // A quota that is written far too large looks like another program that sends more than all of the limit.
      if (2 * limit < notice.requests) {
        return {
          message: `the platform's limit for the client id of environment ${environment} seems to be ${countOf(limit, 'request')}; registrar.yaml says ${notice.requests}`,
          remedy: `Compare it with the contract, and write in registrar.yaml, environments.${environment}.quota: requests: ${limit}`,
        };
      }
      return {
        message: `the platform has counted ${notice.counted} of ${notice.requests} requests for the client id of environment ${environment}, of which Registrar has sent at most ${notice.ours}`,
        remedy: `Another program uses this client id (give Registrar one of its own, or a smaller quota), or the quota is smaller than environments.${environment}.quota says.`,
      };
    }
    case 'quota-differs': {
      const { platform, configured } = notice;
      return {
        message: `the platform allows ${platform.requests} requests per ${platform.per} for the client id of environment ${environment}; registrar.yaml says ${configured.requests} per ${durationText(configured.perMs)}`,
        remedy: `Write in registrar.yaml, environments.${environment}: quota: { requests: ${platform.requests}, per: ${platform.per} }`,
      };
    }
  }
}
