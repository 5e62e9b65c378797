import type { ActionContext } from '../../actions/context.js';
import { type CellsAsked, planCells } from '../../actions/correct/plan-cells.js';
import { type DismissRequest, plan as planDismissal } from '../../actions/dismiss.js';
import { type MapRequest, plan as planMapping } from '../../actions/map.js';
import { plan as planRerun } from '../../actions/rerun.js';
import { plan as planRestaging, type RestageRequest } from '../../actions/restage/restage.js';
import type { Selection } from '../../domain/selection.js';

/** What decisions would do: the plans that their pages show, and that are carried out as they were read. */
export const DECISION_QUERIES = {
  rerunPlan: (context: ActionContext, { selection }: { readonly selection: Selection }) =>
    planRerun(context, selection),
  dismissPlan: (context: ActionContext, request: DismissRequest) => planDismissal(context, request),
  mapPlan: (context: ActionContext, request: MapRequest) => planMapping(context, request),
  restagePlan: (context: ActionContext, request: RestageRequest) => planRestaging(context, request),
  correctPlan: (context: ActionContext, asked: CellsAsked) => planCells(context, asked),
} as const;
