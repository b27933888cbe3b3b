import type { ToolContract } from '../../contracts/tools/common.js';
import type { Skill, Trust } from './types.js';

/** What each level of trust may do. The executor and the installer ask here; a skill's own words do not count. */
export interface Policy {
  /** Costs of the tools that it may call in a turn. None may call a paid tool: that takes a tap. */
  costs: readonly ToolContract['costo'][];
  /** It may describe a step that a campaign runs in the background. */
  background: boolean;
  /** It may stand in every prompt. */
  always: boolean;
  /** `report` findings of the scan stop an installation too. */
  strict: boolean;
  /** Its inline shell may run, in a root that an operator marked. */
  shell: boolean;
  /** `campana skills instalar` may bring it in. */
  installable: boolean;
}

export const POLICY: Readonly<Record<Trust, Policy>> = {
  // Ships with a release and is reviewed like code.
  plataforma: { costs: ['gratis', 'externo'], background: true, always: true, strict: false, shell: true, installable: false },
  propia: { costs: ['gratis', 'externo'], background: false, always: true, strict: false, shell: true, installable: true },
  tercero: { costs: ['gratis'], background: false, always: false, strict: true, shell: false, installable: true },
};

/** The skill's tools that its trust allows, in the order in which it names them; unknown ones are left out (the linter reports them). */
export const allowedTools = (skill: Pick<Skill, 'tools' | 'trust'>, catalogue: readonly ToolContract[]): string[] => {
  const policy = POLICY[skill.trust];
  const known = new Map(catalogue.map((tool) => [tool.name, tool]));
  return skill.tools.filter((name) => {
    const tool = known.get(name);
    return tool !== undefined && tool.scope === 'read' && tool.readOnly && policy.costs.includes(tool.costo);
  });
};
