import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { select } from '../support/select.js';
import type { Incident } from './plan-world.js';
import type { Population } from './simulated-population.js';
import type { World } from './world.js';

/** Lets an incident happen now. */
export async function applyIncident(world: World, population: Population, incident: Incident): Promise<void> {
  const { machine } = world;
  world.say('world', JSON.stringify(incident));
  switch (incident.kind) {
    case 'crash':
      population.crash(incident.process, incident.isSeen, incident.restartMs);
      break;
    case 'crash-at-statement': {
      const { process, statement, committed, isSeen, restartMs } = incident;
      const die = () => population.crash(process, isSeen, restartMs);
      population.living(process)?.dieAt(statement, committed, die);
      break;
    }
    case 'stop':
      population.living(incident.process)?.stop(incident.forMs);
      break;
    case 'stop-at-claim':
      population.living(incident.process)?.stopAtClaim(incident.forMs);
      break;
    case 'stop-at-request':
      population.living(incident.process)?.stopAtRequest(incident.forMs);
      break;
    case 'interrupt':
      population.living(incident.process)?.interrupt();
      break;
    case 'set-clock':
      machine.wallMs += incident.byMs;
      world.facts.wallWasSet = true;
      break;
    case 'reboot':
      reboot(world, population, incident.restartMs);
      break;
    case 'reboot-at-429':
      world.atNext429 = () => reboot(world, population, incident.restartMs);
      break;
    case 'rerun':
    case 'dismiss': {
      const ledger = world.ledgerOf('hand');
      const selected = await select(ledger, { states: incident.states });
      const decision = { kind: incident.kind, who: decider('hand'), because: 'simulated', selection: {} };
      const { decisionId } = await decide(ledger, decision, selected, null);
      if (incident.kind === 'rerun') {
        world.facts.chosen.set(decisionId, new Set(selected.map(({ submissionId }) => submissionId)));
      }
    }
  }
}

function reboot(world: World, population: Population, restartMs: number): void {
  const { machine } = world;
  population.crashAll(restartMs);
  machine.boots += 1;
  machine.bootedMs = machine.time.passedMs();
  forgetPauses(world);
}

/** How much of a pause an earlier boot has left can't be known; it counts as a deadline and a period. */
function forgetPauses({ plan, machine, facts }: World): void {
  for (const { config } of plan.environments) {
    const { clientId } = config;
    const untilMs = machine.time.passedMs() + config.deadlineMs + config.quota.perMs;
    facts.quietUntil.set(clientId, Math.min(facts.quietUntil.get(clientId) ?? 0, untilMs));
  }
}
