import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type ProgressToken,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { z } from 'zod';
import { stringify } from 'yaml';
import { visibility, type Access } from '../ada/library/choose/states.js';
import { substitute, substitution } from '../ada/library/read/variables.js';
import type { Skill, Snapshot } from '../ada/library/types.js';
import { CampanaControl, CampanaStart, CampanaStatus } from '../ada/session-tools.js';
import type { Speaker } from '../ada/types.js';
import { replan } from '../activities/control.js';
import { hasText, text, type Language } from '../contracts/catalog/index.js';
import type { RunSummary } from '../contracts/api.js';
import type { Decision } from '../contracts/decision.js';
import { Refusal } from '../contracts/problem.js';
import type { Progress } from '../contracts/progress.js';
import { DECISION_STATES, isFinal } from '../contracts/states.js';
import { read } from '../db/client.js';
import { listDecisions } from '../db/runs.js';
import { connectionsOf, statesFor } from '../db/skills.js';
import { requireRole, type ApiCaller } from './auth.js';
import { asRefusal } from './problems.js';
import type { ServerContext } from './types.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** How long a call is held for whoever asked for progress without saying how long. */
const HOLD_S = 25;
const MAX_WAIT_S = 300;
const LISTED = 50;

const Wait = z
  .int()
  .min(0)
  .max(MAX_WAIT_S)
  .optional()
  .describe(
    'Seconds to go on following the campaign; progress notifications are sent meanwhile to whoever gave a progress token. Ends early when it is over or a new decision opens.',
  );
const Key = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .describe('The same key is the same change: send it again with a retry.');
/** Neither a mode nor a cap, and nothing that answers a decision: that is what a person's tap is for. */
const INPUTS = {
  campana_start: CampanaStart.extend({
    dry_run: z.boolean().optional().describe('Only say what it would cost at most.'),
    wait_s: Wait,
    idempotency_key: Key,
  }).strict(),
  campana_status: CampanaStatus.extend({ wait_s: Wait }).strict(),
  campana_control: CampanaControl.extend({
    dry_run: z.boolean().optional().describe('With replan: only say what the change would do.'),
    idempotency_key: Key,
  }).strict(),
  decisions_list: z.object({ run_id: z.string().max(120).optional(), state: z.enum(DECISION_STATES).default('open') }).strict(),
};
type ToolName = keyof typeof INPUTS;

const DESCRIPTIONS: Record<ToolName, string> = {
  campana_start:
    'Starts a prospecting campaign (companies, a person at each, contacts, drafts). Says what it costs at most and waits for a person to tap its start card at the URL in the result; nothing is spent before.',
  campana_status: 'Open campaigns, or one with its progress and open decisions.',
  campana_control: 'Pauses, resumes, shortens (replan: fewer accounts or another role) or cancels a campaign. Never approves.',
  decisions_list: 'Decisions that wait for a person, each with the URL where a person answers it. They cannot be answered here.',
};
const ANNOTATIONS: Record<ToolName, Tool['annotations']> = {
  campana_start: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  campana_status: { readOnlyHint: true, openWorldHint: false },
  campana_control: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  decisions_list: { readOnlyHint: true, openWorldHint: false },
};
const TOOLS: Tool[] = (Object.keys(INPUTS) as ToolName[]).map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  annotations: ANNOTATIONS[name],
  inputSchema: z.toJSONSchema(INPUTS[name], { io: 'input', unrepresentable: 'any' }) as Tool['inputSchema'],
}));

const INSTRUCTIONS =
  'Campana runs prospecting campaigns for a sales team. Start one with campana_start and follow it with campana_status. What costs something waits for a person: give them the URL of the decision; it cannot be answered through this server. How Ada works is in the skill:// resources.';

const SKILL_URI = /^skill:\/\/([a-z0-9][a-z0-9-]*)\/(.+)$/;

/** A skill as a file that any reader of skills can take in. */
const skillText = (snapshot: Snapshot, skill: Skill): string => {
  const metadata = {
    version: skill.version,
    costo: skill.costo,
    cierra_con: skill.cierra_con,
    ...(skill.siguiente.length > 0 ? { siguiente: skill.siguiente.join(' ') } : {}),
  };
  // Where its files lie on our disk is nobody's business.
  const body = substitute(skill.body, skill, { ...substitution(snapshot, ''), directoryOf: () => null });
  return `---\n${stringify({ name: skill.name, description: skill.description, metadata })}---\n\n${body.trim()}\n`;
};
/** Text beside a skill that it is worked with; example phrases are for the router. */
const readable = (skill: Skill): Skill['references'] =>
  skill.references.filter((one) => one.text !== null && !one.name.startsWith('assets/'));

const result = (body: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(body) }],
  structuredContent: body as Record<string, unknown>,
});

export interface McpCaller {
  caller: ApiCaller;
  language: Language;
  /** Where the API and its page are, for links: `https://host`, with the path before them where they have one. */ origin: string;
}

/** One client's MCP server: campaigns, decisions and skills of its token's workspace, with its token's roles. */
export const buildMcp = (ctx: ServerContext, { caller, language, origin }: McpCaller): Server => {
  const { workspace } = caller;
  const speaker: Speaker = { workspace, user: caller.sub, thread: '', profile: null, language };
  const campaigns = ctx.ada.campaignsAs(caller.roles);
  const say = (code: string, params: Record<string, unknown> = {}): string => text(language, code, params);

  /** A decision with where a person answers it. */
  const shown = (d: Decision): object => ({
    decision_id: d.id,
    run_id: d.run_id,
    kind: d.kind,
    title: say(`decision.kind.${d.kind}`),
    state: d.state,
    items_total: d.items_total,
    expires_at: d.expires_at,
    options: d.options.map((o) => ({ id: o.id, n: o.n, ...o.totals })),
    balance: d.balance,
    url: `${origin}/decisiones/${d.id}`,
    api_url: origin + d.links.self,
  });
  const progressShown = (p: Progress): object => ({ ...p, state_label: say(`run.state.${p.state}`), url: origin + p.links.self });
  const summaryShown = (r: RunSummary): object => ({
    run_id: r.run_id,
    objetivo: r.objetivo,
    state: r.state,
    state_label: say(`run.state.${r.state}`),
    counts: r.counts,
    decisions: r.decisions,
  });

  const line = (p: Progress): string => {
    const paso = p.pasos.find((one) => ['running', 'waiting_decision', 'unconfirmed', 'blocked', 'paused'].includes(one.status));
    const count =
      paso?.conteo && hasText(`step.count.${paso.id}`)
        ? [say(`step.count.${paso.id}`, { done: paso.conteo.done, total: paso.conteo.total })]
        : [];
    return [say(`run.state.${p.state}`), ...(paso ? [say(`step.${paso.id}`), ...count] : [])].join(' · ');
  };
  const teller = (extra: Extra): ((p: Progress) => Promise<void>) | null => {
    const token: ProgressToken | undefined = extra._meta?.progressToken;
    if (token === undefined) return null;
    let last = -1;
    return async (p) => {
      if (p.version <= last) return;
      last = p.version;
      // Versions only grow, and nobody knows how many there will be.
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken: token, progress: p.version, message: line(p) },
      });
    };
  };

  /** Every version of a run for a while, until it is over, holds, or needs a person for something new. Rows and notifications only. */
  const follow = async (
    run: string,
    ms: number,
    extra: Extra,
    known: readonly string[],
    tell: ((p: Progress) => Promise<void>) | null,
  ): Promise<void> => {
    const watch = ctx.hub.watch(run);
    const until = Date.now() + ms;
    let version: number | null = null;
    try {
      for (let moved = true; moved;) {
        watch.reset();
        const row = await ctx.reader.read(run, version);
        if (!row || row.workspace_id !== workspace) throw new Refusal(404, 'run_not_found', { run_id: run });
        version = row.version;
        if (row.body !== null) {
          const p = JSON.parse(row.body) as Progress;
          await tell?.(p);
          if (isFinal(p.state) || p.state === 'paused' || p.decisions.some((id) => !known.includes(id))) return;
        }
        moved = until > Date.now() && (await watch.wait(row.version, until - Date.now(), extra.signal));
      }
    } finally {
      watch.close();
    }
  };

  const tools: { [N in ToolName]: (args: z.output<(typeof INPUTS)[N]>, extra: Extra) => Promise<object> } = {
    campana_start: async ({ dry_run: dry, wait_s: wait, idempotency_key: key, ...plan }, extra) => {
      const body = { ...plan, modo: 'manual' as const };
      const estimate = await campaigns.estimate(speaker, body);
      if (dry) return { dry_run: true, estimate };
      const tell = teller(extra);
      let { progress, decision } = await campaigns.start(speaker, body, key ?? randomUUID());
      const run = progress.run_id;
      await tell?.(progress);
      if (wait !== undefined && wait > 0) {
        await follow(run, wait * 1_000, extra, decision ? [decision.id] : [], tell);
        const now = await campaigns.status(speaker, run);
        progress = now.progress;
        decision = now.decisions[0] ?? null;
      }
      return {
        run_id: run,
        estimate,
        progress: progressShown(progress),
        decisions: decision ? [shown(decision)] : [],
        waits_for: decision ? 'person' : null,
      };
    },
    campana_status: async ({ run_id: given, wait_s: wait }, extra) => {
      const run = given?.replace(/^run:/, '');
      if (!run) return { runs: (await campaigns.open(speaker)).map(summaryShown) };
      const tell = teller(extra);
      const before = await campaigns.status(speaker, run);
      const ms = (wait ?? (tell ? HOLD_S : 0)) * 1_000;
      await tell?.(before.progress);
      if (ms > 0 && !isFinal(before.progress.state)) await follow(run, ms, extra, before.progress.decisions, tell);
      const { progress, decisions } = ms > 0 ? await campaigns.status(speaker, run) : before;
      return { run_id: run, progress: progressShown(progress), decisions: decisions.map(shown) };
    },
    campana_control: async ({ run_id: given, action, cuentas, cargo, dry_run: dry, idempotency_key: key = randomUUID() }) => {
      const run = given?.replace(/^run:/, '') ?? (await onlyOpen());
      if (action !== 'replan') return { run_id: run, progress: progressShown(await campaigns.control(speaker, run, action, key)) };
      const change = { ...(cuentas === undefined ? {} : { cuentas }), ...(cargo === undefined ? {} : { cargo }) };
      if (Object.keys(change).length === 0) throw new Refusal(400, 'nothing_to_change', {});
      if (dry) {
        requireRole(caller, ['seller', 'approver']);
        return {
          run_id: run,
          dry_run: true,
          impact: (await replan(ctx, { ...caller, channel: 'chat' }, run, change, true, '')).body as object,
        };
      }
      return { run_id: run, progress: progressShown(await campaigns.replan(speaker, run, change, key)) };
    },
    decisions_list: async ({ run_id: given, state }) => {
      const run = given?.replace(/^run:/, '');
      const { decisions } = await listDecisions(ctx.pool, workspace, { limit: LISTED, state, ...(run ? { run } : {}) });
      return { decisions: decisions.map(shown) };
    },
  };
  const onlyOpen = async (): Promise<string> => {
    const open = await campaigns.open(speaker);
    const [only] = open;
    if (!only) throw new Refusal(404, 'no_open_run', {});
    if (open.length > 1)
      throw new Refusal(409, 'which_run', {
        n: open.length,
        runs: open.slice(0, 10).map((r) => ({ run_id: r.run_id, objetivo: r.objetivo, state: r.state })),
      });
    return only.run_id;
  };

  const refused = (error: unknown): CallToolResult => {
    const refusal = asRefusal(error);
    if (!refusal) {
      ctx.log.error(
        { name: error instanceof Error ? error.name : 'unknown', code: error instanceof Error && 'code' in error ? error.code : undefined },
        'an MCP call failed',
      );
    }
    const { status, code, params, extra } = refusal ?? new Refusal(500, 'internal_error', {}, { retryable: false });
    return {
      ...result({
        error: {
          status,
          code,
          params,
          retryable: extra.retryable ?? (status === 429 || status === 503),
          ...(hasText(code) ? { detail: say(code, params) } : {}),
          ...(extra.fresh_decision_id ? { decision_id: extra.fresh_decision_id } : {}),
        },
      }),
      isError: true,
    };
  };

  /** What this caller may see of the library. */
  const library = async (): Promise<{ snapshot: Snapshot; visible: Skill[] }> => {
    const tx = read(ctx.pool);
    const [snapshot, rows, has] = await Promise.all([ctx.library(workspace), statesFor(tx, { workspace }), connectionsOf(tx, workspace)]);
    const access: Access = {
      scopes: { account: workspace },
      rows,
      integrations: has.integrations && new Set(has.integrations),
      capabilities: has.capabilities && new Set(has.capabilities),
    };
    return {
      snapshot,
      visible: [...snapshot.skills.values()]
        .filter((skill) => visibility(skill, access).hidden === null)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
  };

  const server = new Server(
    { name: 'campana', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra): Promise<CallToolResult> => {
    const { name, arguments: args } = request.params;
    if (!Object.hasOwn(INPUTS, name)) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 80)}`);
    const tool = name as ToolName;
    const parsed = INPUTS[tool].safeParse(args ?? {});
    if (!parsed.success)
      return refused(
        new Refusal(400, 'request_invalid', {
          at: parsed.error.issues[0]?.path.join('.') ?? '',
          issues: parsed.error.issues.slice(0, 10).map((i) => ({ at: i.path.join('.'), message: i.message })),
        }),
      );
    try {
      return result(await (tools[tool] as (args: unknown, extra: Extra) => Promise<object>)(parsed.data, extra));
    } catch (error) {
      return refused(error);
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const { visible } = await library();
    return {
      resources: visible.flatMap((skill) => [
        { uri: `skill://${skill.name}/SKILL.md`, name: skill.name, description: skill.description, mimeType: 'text/markdown' },
        ...readable(skill).map((one) => ({
          uri: `skill://${skill.name}/${one.name}`,
          name: `${skill.name}/${one.name}`,
          mimeType: one.name.endsWith('.md') ? 'text/markdown' : 'text/plain',
        })),
      ]),
    };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async (request) => {
    const { uri } = request.params;
    const match = SKILL_URI.exec(uri);
    const { snapshot, visible } = await library();
    // What is denied is as good as missing.
    const skill = visible.find((one) => one.name === match?.[1]);
    const reference = skill && readable(skill).find((one) => one.name === match?.[2]);
    const found = skill && match?.[2] === 'SKILL.md' ? skillText(snapshot, skill) : reference?.text;
    if (found === undefined || found === null)
      throw new McpError(-32_002, `No such resource: ${uri.slice(0, 200)}`, { uri: uri.slice(0, 200) });
    return { contents: [{ uri, mimeType: uri.endsWith('.md') ? 'text/markdown' : 'text/plain', text: found }] };
  });
  return server;
};
