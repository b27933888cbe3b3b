import { toolsIn } from '../../read/body.js';
import { COSTS } from '../../types.js';
import { report, type Rule, TOOLS } from '../rule.js';

/** `costo` tells what the dearest of its tools costs. */
export const cost: Rule = {
  codes: ['cost_understated', 'cost_overstated'],
  check: (skill, library) => {
    const found = report(skill, library);
    const named = [...skill.tools, ...skill.backgroundTools].map((name) => TOOLS.get(name)).filter((t) => t !== undefined);
    const dearest = named.reduce<{ name: string; costo: (typeof COSTS)[number] }>(
      (a, t) => (COSTS.indexOf(t.costo) > COSTS.indexOf(a.costo) ? t : a),
      { name: '', costo: 'gratis' },
    );
    const where = { key: 'metadata.costo', params: { costo: skill.costo, tool: dearest.name, needs: dearest.costo } };
    if (COSTS.indexOf(skill.costo) < COSTS.indexOf(dearest.costo)) found.error('cost_understated', where);
    // One that starts campaigns spends through them, and one that writes drafts spends inference.
    const elsewhere = skill.backgroundTools.length > 0 || toolsIn(skill.body).includes('campana_start');
    if (COSTS.indexOf(skill.costo) > COSTS.indexOf(dearest.costo) && !elsewhere) found.warn('cost_overstated', where);
    return found.problems;
  },
};
