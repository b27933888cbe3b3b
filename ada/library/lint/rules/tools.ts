import { IN_SESSION, report, type Rule, TOOLS } from '../rule.js';

/** The allow-list: tools that exist and only read. What is paid runs in a campaign. */
export const tools: Rule = {
  codes: ['tool_unknown', 'tool_paid', 'tool_of_session', 'background_tool_unknown'],
  check: (skill, library) => {
    const found = report(skill, library);
    for (const tool of skill.tools) {
      const known = TOOLS.get(tool);
      const where = { key: 'metadata.tools', params: { tool } };
      if (IN_SESSION.has(tool)) found.warn('tool_of_session', where);
      else if (!known) found.error('tool_unknown', where);
      else if (known.scope === 'paid') found.error('tool_paid', where);
    }
    for (const tool of skill.backgroundTools)
      if (!TOOLS.has(tool)) found.error('background_tool_unknown', { key: 'metadata.background_tools', params: { tool } });
    return found.problems;
  },
};
