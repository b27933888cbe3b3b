import { PROFILES } from '../../../../contracts/profiles/index.js';
import { tokens } from '../../read/contract.js';
import { report, type Rule } from '../rule.js';

// semver.org, without its named groups.
const SEMVER = /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z.-]{1,60})?(?:\+[0-9A-Za-z.-]{1,60})?$/;

/** What of the portable form the loader does not check. */
export const contract: Rule = {
  codes: ['version_not_semver', 'metadata_key_unknown', 'tool_also_in_profile'],
  check: (skill, library) => {
    const found = report(skill, library);
    if (!SEMVER.test(skill.version))
      found.error('version_not_semver', { key: 'metadata.version', params: { version: skill.version.slice(0, 40) } });
    for (const name of Object.keys(skill.extra)) found.warn('metadata_key_unknown', { key: `metadata.${name}`, params: { name } });
    // The loaded skill no longer tells its own tools from its profiles'.
    const own = tokens(library.sources.get(skill)?.matter.get('metadata.tools'));
    for (const profile of skill.profiles) {
      const shared = Object.hasOwn(PROFILES, profile) ? PROFILES[profile]! : [];
      for (const tool of own.filter((t) => shared.includes(t)))
        found.warn('tool_also_in_profile', { key: 'metadata.tools', params: { tool, profile } });
    }
    return found.problems;
  },
};
