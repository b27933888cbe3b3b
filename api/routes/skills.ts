import { z } from 'zod';
import { resolveState, visibility, type Access, type StateRow } from '../../ada/library/choose/states.js';
import type { Skill } from '../../ada/library/types.js';
import { staleReport } from '../../ada/library/usage.js';
import { stopDenied } from '../../activities/skills.js';
import { Refusal } from '../../contracts/problem.js';
import {
  PutSkillState,
  SkillDetail,
  SkillList,
  SkillName,
  SkillScope,
  SkillStateSet,
  SkillUsage,
  type SkillSummary,
} from '../../contracts/skills.js';
import { SKILLS } from '../../contracts/states.js';
import { read } from '../../db/client.js';
import { clearState, connectionsOf, setState, statesFor, usageReport, usedTogether, type UsageTotals } from '../../db/skills.js';
import { requireRole, type ApiCaller } from '../auth.js';
import { keyOf, once } from '../idempotency.js';
import type { ApiContext, App } from '../types.js';

/** Ids of profiles, threads and turns are their owners'; an empty one is nobody's. */
const ScopeId = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const For = z.object({ profile: ScopeId.optional(), thread: ScopeId.optional(), turn: ScopeId.optional() });
const Named = z.object({ name: SkillName });
/** Without being opened for this long, a skill is worth a look. */
const STALE_DAYS = 60;
/** A skill of which nothing was counted. */
const UNUSED: SkillSummary['usage'] = { viewed: 0, used: 0, helped: 0, omitted: 0, last_at: null };

const accessOf = async (ctx: ApiContext, workspace: string, { profile, thread, turn }: z.infer<typeof For>): Promise<Access> => {
  const tx = read(ctx.pool);
  const [rows, has] = await Promise.all([
    statesFor(tx, { workspace, profileId: profile, threadId: thread, turnId: turn }),
    connectionsOf(tx, workspace),
  ]);
  return {
    scopes: { account: workspace, ...(profile ? { profile } : {}), ...(thread ? { thread } : {}), ...(turn ? { turn } : {}) },
    rows,
    integrations: has.integrations && new Set(has.integrations),
    capabilities: has.capabilities && new Set(has.capabilities),
  };
};

const summary = (skill: Skill, access: Access, used: UsageTotals | undefined): SkillSummary => {
  const { state, from, denied } = resolveState(skill.name, access.rows);
  const seen = visibility(skill, access);
  return {
    name: skill.name,
    version: skill.version,
    digest: skill.digest,
    category: skill.category,
    description: skill.description,
    costo: skill.costo,
    cierra_con: skill.cierra_con,
    siguiente: [...skill.siguiente],
    trust: skill.trust,
    // Somebody else's skill is never in every prompt, whatever was said.
    state: { value: seen.hidden ? state : seen.state, from, denied },
    hidden_because: seen.hidden,
    usage: used ? { viewed: used.viewed, used: used.used, helped: used.helped, omitted: used.omitted, last_at: used.last_at } : UNUSED,
  };
};

/** Who may say a state where: the account's word binds everybody, so it is for those who answer for it. */
const scopeOf = (caller: ApiCaller, scope: SkillScope, id: string | undefined): { scope: SkillScope; scope_id: string } => {
  if (scope === 'account') {
    requireRole(caller, ['approver', 'operator']);
    if (id !== undefined && id !== caller.workspace) throw new Refusal(404, 'scope_not_found', {});
    return { scope, scope_id: caller.workspace };
  }
  if (id === undefined) throw new Refusal(400, 'scope_id_missing', { scope });
  return { scope, scope_id: id };
};

/** The skills of a workspace: what there is, what is said about each, how much it is used. What they say is in files, not here. */
export const skillRoutes = (app: App, ctx: ApiContext): void => {
  app.get(
    '/v1/skills',
    {
      schema: {
        operationId: 'listSkills',
        tags: ['skills'],
        summary:
          'Skills, with what was said about each in the scopes that are named, and why one is hidden. A program is not told of hidden ones',
        querystring: For,
        response: { 200: SkillList },
      },
    },
    async (request) => {
      const { workspace, agent } = request.caller;
      const [snapshot, access, usage] = await Promise.all([
        ctx.library(workspace),
        accessOf(ctx, workspace, request.query),
        usageReport(read(ctx.pool), workspace),
      ]);
      const used = new Map(usage.map((u) => [u.skill, u]));
      const skills = [...snapshot.skills.values()]
        .map((s) => summary(s, access, used.get(s.name)))
        .filter((s) => !agent || s.hidden_because === null);
      return {
        digest: snapshot.digest,
        skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)),
        problems: agent
          ? []
          : snapshot.problems.map(({ severity, code, path, root, key, line, params }) => ({
              severity,
              code,
              path,
              root: root ?? null,
              key: key ?? null,
              line: line ?? null,
              params: params ?? {},
            })),
      };
    },
  );

  app.get(
    '/v1/skills/usage',
    {
      schema: {
        operationId: 'skillUsage',
        tags: ['skills'],
        summary: 'How often each skill was opened, used, kept and passed over, per version; which are worth a look; which go together',
        querystring: z.object({ stale_after_days: z.coerce.number().int().min(1).max(3650).default(STALE_DAYS) }),
        response: { 200: SkillUsage },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const days = request.query.stale_after_days;
      const [snapshot, usage, together] = await Promise.all([
        ctx.library(workspace),
        usageReport(read(ctx.pool), workspace),
        usedTogether(read(ctx.pool), workspace),
      ]);
      const counted = new Map(usage.map((u) => [u.skill, u]));
      const stale = new Map(
        staleReport(
          [...snapshot.skills.keys()],
          usage.flatMap((u) => u.versions),
          Date.now(),
          days,
        ).map((s) => [s.skill, s.reason]),
      );
      const names = [...new Set([...snapshot.skills.keys(), ...counted.keys()])].sort();
      return {
        stale_after_days: days,
        together,
        skills: names.map((skill) => ({
          ...(counted.get(skill) ?? { skill, ...UNUSED, first_at: null, versions: [] }),
          in_library: snapshot.skills.has(skill),
          stale: stale.get(skill) ?? null,
        })),
      };
    },
  );

  app.get(
    '/v1/skills/:name',
    {
      schema: {
        operationId: 'getSkill',
        tags: ['skills'],
        summary: 'One skill with its text; a denied one is refused',
        params: Named,
        querystring: For,
        response: { 200: SkillDetail },
      },
    },
    async (request) => {
      const { workspace, agent } = request.caller;
      const { name } = request.params;
      const [snapshot, access, usage] = await Promise.all([
        ctx.library(workspace),
        accessOf(ctx, workspace, request.query),
        usageReport(read(ctx.pool), workspace),
      ]);
      const skill = snapshot.skills.get(name);
      if (!skill) throw new Refusal(404, 'skill_not_found', { skill: name });
      const { hidden } = visibility(skill, access);
      // A person may read what a missing connection hides, to know what it would do; nobody reads what is denied.
      if (hidden && (agent || hidden.code === 'skill_denied')) throw new Refusal(403, hidden.code, hidden.params);
      return {
        ...summary(
          skill,
          access,
          usage.find((u) => u.skill === name),
        ),
        body: skill.body,
        reasoning: skill.reasoning,
        tools: [...skill.tools],
        background_tools: [...skill.backgroundTools],
        requiere: [...skill.requiere],
        integrations: [...skill.integrations],
        capabilities: [...skill.capabilities],
        references: skill.references.map((r) => ({ name: r.name, bytes: r.bytes, digest: r.digest, readable: r.text !== null })),
      };
    },
  );

  app.put(
    '/v1/skills/:name/state',
    {
      config: { roles: ['seller', 'approver', 'operator'], person: true, changes: true },
      schema: {
        operationId: 'putSkillState',
        tags: ['skills'],
        summary:
          'Say always, available or never for a skill in one scope, or null to take it back. For the account only approvers and operators; a wider never is not lifted by a narrower word',
        params: Named,
        querystring: z.object({ scope: SkillScope, scope_id: ScopeId.optional() }),
        body: PutSkillState,
        response: { 200: SkillStateSet },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const { name } = request.params;
      const at = scopeOf(caller, request.query.scope, request.query.scope_id);
      // A campaign's own skills can be denied whatever the files are like; a word about one that is gone can be taken back.
      if (body.state !== null && !(SKILLS as readonly string[]).includes(name) && !(await ctx.library(caller.workspace)).skills.has(name))
        throw new Refusal(404, 'skill_not_found', { skill: name });
      const answer = await once(
        ctx.pool,
        caller,
        keyOf(request),
        `PUT /v1/skills/${name}/state ${at.scope} ${at.scope_id}`,
        body,
        async (tx) => {
          if (body.state === null) await clearState(tx, caller, at, name, body.reason ?? null);
          else await setState(tx, caller, at, name, body.state, body.reason ?? null);
          const rows: StateRow[] = await statesFor(tx, {
            workspace: caller.workspace,
            ...(at.scope === 'account' ? {} : { [`${at.scope}Id`]: at.scope_id }),
          });
          const { state, from, denied } = resolveState(name, rows);
          return { status: 200, body: { name, ...at, state: body.state, effective: { value: state, from, denied } } };
        },
      );
      if (at.scope === 'account' && body.state === 'never') {
        await stopDenied(ctx, caller.workspace);
        ctx.outbox.kick();
      }
      return reply.code(200).send(answer.body as SkillStateSet);
    },
  );
};
