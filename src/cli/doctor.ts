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
  const having = (verdict: Finding['verdict']) => examined.filter((one) => one.verdict === verdict);
  const broken = having('broken');
  return {
    document: () => ({
      ok: having('ok').length,
      attention: having('attention').length,
      broken: broken.length,
      checks: examined.map(({ exit: _, ...shown }) => shown),
    }),
    text: () => '',
    exit: worstExit(broken.map(({ exit }) => exit)),
  };
}
