import { doctor } from '../actions/doctor/doctor.js';
import type { Finding } from '../actions/doctor/finding.js';
import { worstExit } from '../domain/operator-error.js';
import type { Answer, Call } from './command.js';
import { findingLine } from './describe-failure.js';
import type { setUp } from './facts.js';
import { show } from './io.js';

export async function answer({ options, io, interrupt, locate }: Call<typeof setUp.doctor>): Promise<Answer> {
  const examined: Finding[] = [];
  const request = {
    env: io.env,
    isOffline: options.offline === true,
    isDeep: options.deep === true,
    interrupt,
  };
  for await (const finding of doctor(locate(), request)) {
    examined.push(finding);
    // Findings are shown as they come: a token may take half a minute.
    if (!options.json && !(options.quiet && finding.verdict === 'ok')) show(io, findingLine(finding));
  }
  const broken = examined.filter(({ verdict }) => verdict === 'broken');
  return {
    document: () => documentOf(examined),
    text: () => '',
    exit: worstExit(broken.map(({ exit }) => exit)),
  };
}

function documentOf(examined: readonly Finding[]) {
  const count = (verdict: Finding['verdict']) => examined.filter((one) => one.verdict === verdict).length;
  return {
    ok: count('ok'),
    attention: count('attention'),
    broken: count('broken'),
    checks: examined.map(({ exit: _, ...shown }) => shown),
  };
}
