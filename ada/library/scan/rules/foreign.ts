import { CATALOGUE } from '../../../../contracts/tools/catalogue.js';
import { SESSION_TOOLS } from '../../../../contracts/profiles/index.js';
import { type Hit } from '../finding.js';
import { rawSpan } from '../normalise.js';
import { inFlat, type Scanned, textRule } from '../rule.js';

const OURS: ReadonlySet<string> = new Set([...CATALOGUE.map((t) => t.name), ...SESSION_TOOLS]);
/** Hosts that belong to nobody (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid)$/;
/** Tools that agents elsewhere have, and this one does not. */
const KNOWN_ELSEWHERE = new Set([
  'bash',
  'shell',
  'terminal',
  'exec',
  'execute_command',
  'run_command',
  'run_shell',
  'shell_exec',
  'execute_code',
  'run_code',
  'code_interpreter',
  'python',
  'python_exec',
  'eval',
  'computer',
  'computer_use',
  'browser',
  'browser_navigate',
  'web_search',
  'web_fetch',
  'fetch_url',
  'fetch',
  'http_get',
  'http_post',
  'http_request',
  'curl',
  'wget',
  'read_file',
  'write_file',
  'file_read',
  'file_write',
  'edit_file',
  'delete_file',
  'list_files',
  'str_replace_editor',
  'sql_query',
  'run_sql',
  'execute_sql',
  'send_email',
  'send_mail',
  'gmail_send',
  'send_message',
  'slack_post',
  'memory_write',
  'skill_manage',
  'skill_create',
]);

const SPAN = /`([a-z][a-z0-9_.:-]{1,80})(?:\([^`\n]{0,200}\))?`/g;
const CALLED =
  /\b(?:llama(?:r)? a|usa(?:r)? la herramienta|usa(?:r)? el tool|herramienta|invoca(?:r)?|ejecuta(?:r)? la herramienta|call(?: the)?(?: tool)?|use the(?: tool)?|invoke(?: the)?(?: tool)?|tool|function)\s{1,3}[`"'*]{0,3}([a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}|[a-z]{3,20}(?=`))/g;
const QUALIFIED = /\b(?:mcp__[a-z0-9_-]{1,60}|functions?\.[a-z_]{2,60}|(?:mcp|server|tool):\/\/[^\s)`]{1,100})/g;

const tools = (scanned: Scanned): Hit[] => {
  const { flat, raw, options } = scanned;
  const allowed = (name: string): boolean => OURS.has(name) || (options.tools ?? []).includes(name);
  const hits = inFlat(QUALIFIED)(scanned);
  const add = (rule: RegExp, refused: (name: string) => boolean): void => {
    for (const m of flat.text.matchAll(rule)) {
      if (refused(m[1]!)) hits.push(rawSpan(flat, m.index, m.index + m[0].length, raw.length));
    }
  };
  add(SPAN, (name) => KNOWN_ELSEWHERE.has(name) && !allowed(name));
  add(CALLED, (name) => !allowed(name));
  return hits;
};

const URL_RULE = /\b(?:https?|ftp|wss?|file|javascript|data|vbscript):(?:\/\/)?([^\s<>"'`)\]/?#]{0,255})[^\s<>"'`)\]]{0,1000}/g;
const urls = ({ flat, raw, options }: Scanned): Hit[] =>
  [...flat.text.matchAll(URL_RULE)]
    .filter((m) => {
      const scheme = m[0].slice(0, m[0].indexOf(':'));
      if (!m[0].startsWith(`${scheme}://`)) return scheme === 'javascript' || scheme === 'vbscript' || /^data:[a-z]+\//.test(m[0]);
      const host = m[1]!
        .replace(/^[^@]*@/, '')
        .replace(/:\d+$/, '')
        .replace(/\.$/, '');
      return !RESERVED.test(host) && !(options.hosts ?? []).some((h) => host === h || host.endsWith(`.${h}`));
    })
    .map((m) => rawSpan(flat, m.index, m.index + m[0].length, raw.length));

/** Tools and addresses outside the allow-list. */
export const FOREIGN = [textRule('foreign.tool', 'block', tools), textRule('foreign.url', 'report', urls)];
