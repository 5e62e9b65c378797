import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first. What begins last must be short, or the other workers wait for it; on a fresh clone
 * vitest takes the size of a file for its time, and some of these are among the smallest.
 */
const LONGEST = [
  'schedule/year.long',
  'flows/busy-service.long',
  'flows/doctor-locked.long',
  'flows/full-disk.long',
  'flows/schedule.test',
  'flows/guided-workbook.long',
  'report/page/html-page.long',
  'inbox/sftp.test',
  'flows/crash.long',
  'flows/killed-rows.test',
  'flows/killed-decisions.test',
  'flows/soak.long',
  'flows/stopped-owner.test',
  'flows/results.test',
  'inbox/results.test',
  'flows/locked-start.long',
  'simulation/simulation.test',
  'demo.long',
  'conformance/two-connections.test',
  'conformance/two-processes.test',
  'push/push-environment.test',
  'flows/many-runs.long',
  'flows/restore.test',
  'flows/doctor-setups.test',
  'flows/two-services.test',
  'flows/database.test',
  'flows/every-command.test',
  'flows/crash.test',
  'inbox/https.test',
  'flows/pgp.test',
  'flows/console-story.long',
  'properties/plan-equals-deed.test',
  'flows/monitor.test',
  'flows/forget.test',
  'flows/large-file.test',
  'ledger/store/postgres/database.test',
  'docs.test',
  'flows/containers.test',
  'schedule/spring.test',
  'flows/completion.test',
  'flows/unusable-environment.test',
  'console/hostile/viewer.test',
  'console/hostile/forged-forms.test',
  'packaging/fresh-machine.test',
  'packaging/package.test',
  'push/quota-servers.long',
  'simulation/simulation.long',
  'flows/audit-sql.test',
  'expressions.test',
  'inbox/s3.test',
  'packaging/image.test',
  'properties/erasing-plans.test',
  'flows/ledger-copy.test',
  'inbox/first-row.test',
  'flows/proxy.test',
  'console/api/open-api.test',
  'flows/purge.test',
  'flows/unfinished-work.test',
  'flows/unfinished-work.long',
  'staging/returned-rows.test',
  'flows/health.test',
  'flows/signals.test',
  'flows/faults.test',
  'flows/two-runs.test',
  'console/pages/looks.long',
  'properties/damage.long',
  'flows/kill.test',
  'flows/backup.test',
  'flows/console-threads.test',
  'flows/read-only-disk.long',
  'flows/first-row.test',
  'console/pages/settings/new-source.test',
  'flows/changed-configuration.test',
  'console/stopped-run.test',
  'properties/hurt-ledger.test',
  'flows/fencing.test',
];

/** Begins the files that take long first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    // Those of one rank stay in vitest's order.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
