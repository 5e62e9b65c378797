import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first. What begins last must be short, or the other workers wait for it; on a fresh clone
 * vitest takes the size of a file for its time, and some of these are among the smallest.
 */
const LONGEST = [
  'flows/guided-workbook.long',
  'flows/crash.long',
  'report/page/html-page.long',
  'flows/full-disk.long',
  'flows/doctor-locked.long',
  'console/pages/looks.long',
  'flows/soak.long',
  'properties/damage.long',
  'flows/busy-service.long',
  'flows/console-story.long',
  'flows/many-runs.long',
  'flows/locked-start.long',
  'flows/schedule.test',
  'flows/killed-rows.test',
  'flows/killed-decisions.test',
  'flows/every-command.test',
  'flows/crash.test',
  'flows/stopped-owner.test',
  'simulation/simulation.test',
  'flows/completion.test',
  'packaging/fresh-machine.test',
  'packaging/package.test',
  'flows/health.test',
  'properties/erasing-plans.test',
  'flows/unusable-environment.test',
  'push/push-environment.test',
  'flows/faults.test',
  'flows/two-runs.test',
  'flows/kill.test',
  'flows/backup.test',
  'flows/signals.test',
  'flows/left-work.test',
  'flows/samples-of-operations.test',
  'packaging/image.test',
  'schedule/spring.test',
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
