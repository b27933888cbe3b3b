import { SKILLS } from '../../../../contracts/states.js';
import { POLICY } from '../../trust.js';
import { report, type Rule, TOOLS } from '../rule.js';

const SHELL = /!`[^`\n]{1,500}`/;
const ALWAYS = /^(?:always|siempre|true|si|sí|yes)$/i;

/** What the author's standing does not allow, whatever the skill says of itself. */
export const trust: Rule = {
  codes: ['trust_background', 'trust_always', 'trust_shell', 'trust_platform_name', 'trust_tool_cost'],
  check: (skill, library) => {
    const found = report(skill, library);
    const policy = POLICY[skill.trust];
    if (!policy.background && skill.backgroundTools.length > 0)
      found.error('trust_background', { key: 'metadata.background_tools', params: { tools: skill.backgroundTools.join(', ') } });
    for (const key of ['always', 'siempre', 'state', 'estado']) {
      if (!policy.always && ALWAYS.test(skill.extra[key]?.trim() ?? '')) found.error('trust_always', { key: `metadata.${key}` });
    }
    const shell = policy.shell ? null : SHELL.exec(skill.body);
    if (shell) found.error('trust_shell', { at: skill.body.slice(0, shell.index).split('\n').length });
    if (skill.trust !== 'plataforma' && (SKILLS as readonly string[]).includes(skill.name))
      found.error('trust_platform_name', { key: 'name', params: { name: skill.name } });
    for (const tool of skill.tools) {
      const known = TOOLS.get(tool);
      if (known?.scope === 'read' && !policy.costs.includes(known.costo))
        found.error('trust_tool_cost', { key: 'metadata.tools', params: { tool, costo: known.costo } });
    }
    return found.problems;
  },
};
