import { planCells } from '../../actions/correct/plan-cells.js';
import { dismiss } from '../../actions/dismiss.js';
import { map } from '../../actions/map.js';
import { rerun } from '../../actions/rerun.js';
import { restage } from '../../actions/restage/restage.js';

/** What decisions would do: the plans that their pages show, and that are carried out as they were read. */
export const DECISION_QUERIES = {
  rerunPlan: rerun.plan,
  dismissPlan: dismiss.plan,
  mapPlan: map.plan,
  restagePlan: restage.plan,
  correctPlan: planCells,
} as const;
