import type { EnvironmentConfig } from '../config/schema.js';
import type { QuotaRule } from '../ledger/permits/quota.js';

/** The environment's quota as the ledger counts it. */
export function quotaRule({ quota, pace }: EnvironmentConfig): QuotaRule {
  return { requests: quota.requests, perMs: quota.per, reserve: quota.reserve, pace };
}
