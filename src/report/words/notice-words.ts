import { durationText } from '../../config/values/duration.js';
import type { Notice } from '../../domain/environment/notice.js';

/** A notice as a sentence without its full stop, and what to do about it. */
export function noticeWords(environment: string, notice: Notice): { message: string; remedy: string } {
  switch (notice.code) {
    case 'other-consumer':
      return {
        message: `the platform has counted ${notice.counted} of ${notice.requests} requests for the client id of environment ${environment}, of which Registrar has sent at most ${notice.ours}`,
        remedy: `Another program uses this client id (give Registrar one of its own, or a smaller quota), or the quota is smaller than environments.${environment}.quota says.`,
      };
    case 'quota-differs': {
      const { platform, configured } = notice;
      return {
        message: `the platform allows ${platform.requests} requests per ${platform.per} for the client id of environment ${environment}; registrar.yaml says ${configured.requests} per ${durationText(configured.perMs)}`,
        remedy: `Write in registrar.yaml, environments.${environment}: quota: { requests: ${platform.requests}, per: ${platform.per} }`,
      };
    }
  }
}
