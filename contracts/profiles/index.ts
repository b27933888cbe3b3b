/**
 * Tools that several skills share, by profile. A skill names profiles in `metadata.profiles`; its tools are its own and theirs.
 * Read tools only: what is paid runs in a campaign, after a tap.
 */
export const PROFILES: Readonly<Record<string, readonly string[]>> = {
  mercado: ['market_count_suppliers', 'market_search_suppliers', 'market_compare'],
  crm: ['collection_query'],
  equipo: ['context_retrieve', 'context_get'],
};

/** Tools of the chat itself: in process, not MCP. They are in every turn, whatever is open. */
export const SESSION_TOOLS = [
  'board_read',
  'skill_list',
  'skill_open',
  'skill_reference',
  'proponer_decision',
  'campana_start',
  'campana_status',
  'campana_control',
] as const;
