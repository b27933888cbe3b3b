import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOP } from '../../ada/library/choose/retrieve.js';
import { platformRoots } from '../../ada/library/home.js';
import { install, remove, update, verify, type InstallContext } from '../../ada/library/install/install.js';
import { InstallRefusal } from '../../ada/library/install/refusal.js';
import { lookUpReference, lookUpSkill } from '../../ada/library/read/guard.js';
import { problemText } from '../../ada/library/read/problem-text.js';
import { allowedTools } from '../../ada/library/trust.js';
import { SIZE, type Bundle, type Problem, type Skill, type Trust } from '../../ada/library/types.js';
import { SkillUsage, type SkillScope, type SkillState, type SkillSummary } from '../../contracts/skills.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import { api } from '../api.js';
import { printJson, type Context } from '../context.js';
import { CliExit, EXIT, type ExitCode } from '../exit.js';
import { budgetOf, toolsOf, type Budget } from '../skills/budget.js';
import { graphOf, type Together } from '../skills/graph.js';
import { lintPath, problemLines, type Shown } from '../skills/lint.js';
import { asExit, exitOfRefusal, homeOf, openLibrary, workspaceOf } from '../skills/open.js';
import { drawSvg } from '../skills/svg.js';
import { table } from '../skills/table.js';
import { clean, type Words } from '../words.js';
import { messagesOf, readState, triedLines, tryWith, writeLine } from '../skills/try.js';

const columns = (ctx: Context): number | undefined => (ctx.term.stdout.isTTY ? ctx.term.stdout.columns : undefined);
const short = (digest: string): string => digest.slice(0, 12);
const refusing = async <T>(ctx: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asExit(ctx, error);
  }
};

export interface WorkspaceFlag {
  workspace?: string;
}

/** The skills there are, here on disk; with `--estados` also what the account says of each. */
export const list = (ctx: Context, flags: WorkspaceFlag & { estados?: boolean }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const { words } = ctx;
    const { workspace, snapshot } = await openLibrary(ctx, flags.workspace);
    const states = flags.estados ? new Map((await api.skills(ctx.client)).skills.map((s) => [s.name, s])) : null;
    const skills = [...snapshot.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (ctx.json) {
      printJson(ctx, {
        workspace,
        digest: snapshot.digest,
        skills: skills.map((s) => {
          const said = states?.get(s.name);
          return {
            name: s.name,
            category: s.category,
            version: s.version,
            costo: s.costo,
            cierra_con: s.cierra_con,
            trust: s.trust,
            description: s.description,
            siguiente: s.siguiente,
            digest: s.digest,
            path: s.path,
            root: s.root,
            ...(states ? { state: said?.state ?? null, hidden_because: said?.hidden_because ?? null } : {}),
          };
        }),
        problems: snapshot.problems,
      });
      return EXIT.ok;
    }
    const state = (said: SkillSummary | undefined): string =>
      said
        ? words.say(`cli.skills.state.${said.state.value}`) +
          (said.hidden_because && !said.state.denied ? ` (${words.reason(said.hidden_because)})` : '')
        : words.say('cli.skills.state.unknown');
    const head = ['name', 'category', 'version', 'cost', 'closes', 'trust', ...(states ? ['state'] : []), 'description'].map((h) =>
      words.say(`cli.skills.head.${h}`),
    );
    for (const line of table(
      head,
      skills.map((s) => [
        s.name,
        s.category ?? '–',
        s.version,
        ...kindOf(words, s),
        ...(states ? [state(states.get(s.name))] : []),
        s.description,
      ]),
      columns(ctx),
    ))
      ctx.out(line);
    sayProblems(ctx, snapshot.problems);
    return EXIT.ok;
  });

/** What a skill costs, closes with, and whose it is, in words. */
const kindOf = (
  words: Words,
  { costo, cierra_con: closes, trust }: Pick<Skill, 'costo' | 'cierra_con' | 'trust'>,
): [cost: string, closes: string, trust: string] => [
  words.say(`cost.${costo}`),
  words.has(`cli.skills.closes.${closes}`) ? words.say(`cli.skills.closes.${closes}`) : clean(closes),
  words.say(`cli.skills.trust.${trust}`),
];

/** Problems that keep a skill out are said with every list: one that is missing there should not have to be looked for. */
const sayProblems = (ctx: Context, problems: readonly Problem[]): void => {
  for (const p of problems.filter((one) => one.severity === 'error' || one.code === 'skill_unlocked')) {
    const { message, fix } = problemText(p, ctx.language);
    ctx.tell(`${p.root ? `${p.root}:` : ''}${p.path}${p.line ? `:${p.line}` : ''} · ${message} → ${fix}`);
  }
};

const seeBundle = (ctx: Context, bundle: Bundle): ExitCode => {
  if (ctx.json)
    printJson(ctx, {
      kind: 'bundle',
      name: bundle.name,
      description: bundle.description,
      skills: bundle.skills,
      instruction: bundle.instruction,
      digest: bundle.digest,
    });
  else {
    ctx.out(ctx.words.say('cli.skills.bundle', { name: bundle.name, skills: bundle.skills.join(', ') }));
    if (bundle.instruction) ctx.out(`\n${bundle.instruction.trim()}`);
  }
  return EXIT.ok;
};

/** One skill as the model reads it, or one of its references. */
export const see = (ctx: Context, name: string, ref: string | undefined, flags: WorkspaceFlag): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const { words } = ctx;
    const { snapshot } = await openLibrary(ctx, flags.workspace);
    const bundle = snapshot.bundles.get(name);
    if (bundle && !snapshot.skills.has(name)) return seeBundle(ctx, bundle);
    // One that is there and left out is not merely unknown.
    if (!snapshot.skills.has(name))
      sayProblems(
        ctx,
        snapshot.problems.filter((p) => p.path.split('/').includes(name)),
      );
    const skill = lookUpSkill(snapshot, name);
    if (ref !== undefined) {
      const reference = lookUpReference(snapshot, skill, ref);
      if (reference.text === null) throw new CliExit(EXIT.usage, 'cli.skills.not_text', { ref: reference.name });
      if (ctx.json)
        printJson(ctx, { skill: skill.name, ref: reference.name, digest: reference.digest, bytes: reference.bytes, text: reference.text });
      else ctx.out(reference.text.trimEnd());
      return EXIT.ok;
    }
    const tools = allowedTools(skill, CATALOGUE);
    if (ctx.json) {
      const { references, ...rest } = skill;
      printJson(ctx, {
        ...rest,
        opens: tools,
        references: references.map(({ name: file, bytes, digest, text }) => ({ name: file, bytes, digest, readable: text !== null })),
      });
      return EXIT.ok;
    }
    const line = (code: string, value: string): void => {
      if (value !== '') ctx.out(`${words.say(`cli.skills.field.${code}`)}: ${value}`);
    };
    const [cost, closes, trust] = kindOf(words, skill);
    ctx.out(`${ctx.color.bold(skill.name)} ${skill.version} · ${cost} · ${trust}${skill.category === null ? '' : ` · ${skill.category}`}`);
    ctx.out(skill.description);
    line('opens', tools.join(' '));
    line('background', skill.backgroundTools.join(' '));
    line('next', skill.siguiente.join(' '));
    line('closes', closes);
    line('needs', [...skill.requiere, ...skill.integrations, ...skill.capabilities].join(' '));
    line('references', skill.references.map((r) => r.name).join(' '));
    line('digest', skill.digest);
    ctx.out(`\n${skill.body.trim()}`);
    return EXIT.ok;
  });

/** Everything wrong with the files of skills. Ends with 1 when something must be mended. */
export const lint = (ctx: Context, paths: readonly string[], flags: { confianza?: Trust }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    let skills = 0;
    const problems: Shown[] = [];
    for (const path of paths.length > 0 ? paths : [undefined]) {
      const found = await lintPath(ctx, path, flags.confianza);
      skills += found.skills;
      problems.push(...found.problems);
    }
    const errors = problems.filter((p) => p.severity === 'error').length;
    if (ctx.json) for (const problem of problems) printJson(ctx, problem);
    else {
      for (const line of problemLines(ctx, problems)) ctx.out(line);
      ctx.out(ctx.words.say('cli.skills.linted', { skills, errors, warnings: problems.length - errors }));
    }
    return errors > 0 ? EXIT.problems : EXIT.ok;
  });

const budgetLines = (ctx: Context, b: Budget): string[] => {
  const { words } = ctx;
  const n = (value: number): string => words.count(value);
  const row = (code: string, value: number, limit: number | null, note = ''): string[] => [
    words.say(`cli.skills.budget.${code}`),
    n(value),
    limit === null ? '' : `/ ${n(limit)}`,
    note,
  ];
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    ...table(
      [words.say('cli.skills.budget.part'), words.say('cli.skills.budget.characters'), '', ''],
      [
        row('fixed', b.fixed, b.limits.fixed, words.say('cli.skills.budget.ceiling')),
        row(
          'index',
          b.index,
          b.skills > TOP ? b.index : b.limits.index,
          words.say('cli.skills.budget.skills', { n: b.skills }) + (b.skills > TOP ? ` · ${words.say('cli.skills.budget.ceiling')}` : ''),
        ),
        row('pair', b.pair.loaded, null, b.pair.names.join(' + ')),
        row('bodies', b.pair.bodies, b.limits.bodies),
        row('context', b.context, b.limits.context, words.say('cli.skills.budget.left', { n: b.pair.contextLeft })),
        row('total', b.total, b.limit, words.say(b.fits ? 'cli.skills.budget.fits' : 'cli.skills.budget.over')),
      ],
      undefined,
    ),
    '',
    words.say('cli.skills.budget.tools', { always: b.tools.always, pair: b.tools.pair, all: b.tools.all }),
    '',
    ...table(
      ['open', 'instructions', 'tokens', 'schemas', 'tokens'].map((h) => words.say(`cli.skills.budget.${h}`)),
      b.savings.map((s) => [
        s.open.join(' + ') || words.say('cli.skills.budget.nothing'),
        `${n(s.instructions.shown)} / ${n(s.instructions.everything)} (−${percent(s.instructions.share)})`,
        `−${n(s.instructions.tokensSaved)}`,
        `${n(s.tools.shown)} / ${n(s.tools.everything)} (−${percent(s.tools.share)})`,
        `−${n(s.tools.tokensSaved)}`,
      ]),
      undefined,
    ),
  ];
};

/** What a prompt takes, and what it would take if everything stood in it always. Ends with 1 when it does not fit. */
export const budget = (ctx: Context, flags: WorkspaceFlag & { de200?: boolean }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const { snapshot } = await openLibrary(ctx, flags.workspace);
    const own = budgetOf(snapshot);
    const large = flags.de200 ? await largeBudget() : null;
    if (ctx.json) printJson(ctx, { library: own, ...(large ? { library_200: large } : {}) });
    else {
      for (const line of budgetLines(ctx, own)) ctx.out(line);
      if (own.skills <= TOP)
        for (const line of [
          '',
          ...table(
            [words(ctx, 'head.name'), words(ctx, 'budget.body'), words(ctx, 'budget.references')],
            own.bodies.map((one) => [
              one.name,
              `${ctx.words.count(one.body)} / ${ctx.words.count(SIZE.body)}`,
              ctx.words.count(one.references),
            ]),
            undefined,
          ),
        ])
          ctx.out(line);
      if (large) for (const line of ['', words(ctx, 'budget.large'), ...budgetLines(ctx, large)]) ctx.out(line);
    }
    return own.fits ? EXIT.ok : EXIT.problems;
  });
const words = (ctx: Context, code: string): string => ctx.words.say(`cli.skills.${code}`);

/** The library of 200 of the routing evals: in a checkout only. */
const largeBudget = async (): Promise<Budget> => {
  const { library200, madeUpSchemas } = await import('../../evals/routing/library-200.js').catch(() => {
    throw new CliExit(EXIT.usage, 'cli.skills.no_200');
  });
  const snapshot = await library200();
  const made = new Map(madeUpSchemas().map((tool) => [tool.name, tool]));
  return budgetOf(snapshot, (skill) => {
    const own = made.get(`${skill.name.replace(/-/g, '_')}_consulta`);
    return own ? [own] : toolsOf(skill);
  });
};

/** What a turn would choose for each message, without a model and without a stack. */
export const tryOut = (ctx: Context, args: readonly string[], flags: WorkspaceFlag & { estado?: string }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const state = readState(flags.estado);
    const { workspace, snapshot } = await openLibrary(ctx, flags.workspace);
    const choose = tryWith(ctx, snapshot, workspace, state);
    for await (const message of messagesOf(ctx, args)) {
      const tried = choose(message);
      for (const line of ctx.json ? [JSON.stringify(tried)] : triedLines(ctx, tried)) if (!(await writeLine(ctx, line))) return EXIT.ok;
    }
    return EXIT.ok;
  });

/** How much each skill is used, and which are worth a look. */
export const usage = async (ctx: Context): Promise<ExitCode> => {
  const found = await api.skillUsage(ctx.client);
  if (ctx.json) {
    printJson(ctx, found);
    return EXIT.ok;
  }
  const say = ctx.words.say;
  const last = (at: string | null): string => (at === null ? '–' : ctx.words.moment(at));
  const rows = found.skills.flatMap((s) =>
    (s.versions.length > 0
      ? s.versions
      : [{ version: '–', viewed: s.viewed, used: s.used, helped: s.helped, omitted: s.omitted, last_at: s.last_at }]
    ).map((v) => [s.skill, v.version, ...[v.viewed, v.used, v.helped, v.omitted].map((n) => ctx.words.count(n)), last(v.last_at)]),
  );
  if (rows.length === 0) ctx.out(say('cli.skills.usage.none'));
  else
    for (const line of table(
      ['name', 'version', 'viewed', 'used', 'helped', 'omitted', 'last'].map((h) => say(`cli.skills.head.${h}`)),
      rows,
      columns(ctx),
    ))
      ctx.out(line);
  const stale = found.skills.filter((s) => s.stale !== null);
  if (stale.length > 0) ctx.out(`\n${say('cli.skills.usage.stale')}`);
  for (const s of stale) ctx.out(`  ${s.skill} · ${say(`cli.skills.stale.${s.stale}`, { days: found.stale_after_days })}`);
  ctx.out(`\n${say('cli.skills.usage.kept')}`);
  return EXIT.ok;
};

/** How long a graph waits for what only the API knows. */
const TOGETHER_MS = 2_000;

export const graph = (ctx: Context, flags: WorkspaceFlag & { svg?: string }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const { snapshot } = await openLibrary(ctx, flags.workspace);
    // Without the stack the graph is the same but for one kind of line.
    const together: Together[] = await ctx.client.poll('/v1/skills/usage', SkillUsage, null, 0, AbortSignal.timeout(TOGETHER_MS)).then(
      (answer) => answer?.body.together ?? [],
      () => [],
    );
    const found = graphOf(snapshot, together);
    const svg = (): string =>
      drawSvg(found, {
        title: words(ctx, 'graph.title'),
        description: ctx.words.say('cli.skills.graph.description', { skills: found.skills.length, tools: found.tools.length }),
        tool: words(ctx, 'graph.tool'),
        background: words(ctx, 'graph.background'),
        siguiente: words(ctx, 'graph.next'),
        together: words(ctx, 'graph.together'),
        none: words(ctx, 'graph.none'),
        cost: (code) => ctx.words.say(`cost.${code}`),
      });
    if (flags.svg !== undefined) {
      await writeFile(flags.svg, svg()).catch((error: NodeJS.ErrnoException) => {
        throw new CliExit(EXIT.usage, 'cli.skills.not_written', { file: flags.svg, why: error.code ?? error.message });
      });
      ctx.tell(ctx.words.say('cli.skills.written', { file: flags.svg }));
    }
    if (ctx.json) printJson(ctx, { nodes: [...found.skills, ...found.tools], edges: found.edges });
    else if (flags.svg === undefined) ctx.term.stdout.write(svg());
    return EXIT.ok;
  });

const installContext = async (ctx: Context, flags: WorkspaceFlag): Promise<InstallContext> => ({
  home: homeOf(ctx),
  workspace: await workspaceOf(ctx, flags.workspace),
  platform: platformRoots(),
  signal: ctx.signal,
  say: (step) =>
    ctx.tell(
      step.step === 'fetch'
        ? ctx.words.say('cli.skills.step.fetch', { source: step.source })
        : step.step === 'check'
          ? ctx.words.say('cli.skills.step.check', { n: step.skills })
          : ctx.words.say('cli.skills.step.wait', { pid: step.owner?.pid ?? '?' }),
    ),
});
const refusedJson = (ctx: Context, refusal: InstallRefusal): object => ({
  code: refusal.code,
  params: refusal.params,
  text: ctx.words.say(`library.install.${refusal.code}`, refusal.params),
  problems: refusal.problems.map((p) => ({ ...p, ...spoken(ctx, p) })),
});
const spoken = (ctx: Context, problem: Problem): { text: string; fix: string } => {
  const { message, fix } = problemText(problem, ctx.language);
  return { text: message, fix };
};
const tellProblems = (ctx: Context, problems: readonly Problem[]): void => {
  for (const line of problemLines(
    ctx,
    problems.map((p) => ({
      severity: p.severity,
      code: p.code,
      path: p.path,
      line: p.line ?? null,
      key: p.key ?? null,
      ...spoken(ctx, p),
    })),
  ))
    ctx.tell(line);
};

/** Brings skills in, through the gates; says on stderr what it is doing, and everything that is wrong when it does not. */
export const bring = (ctx: Context, source: string, flags: WorkspaceFlag & { propia?: boolean; solo?: string }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const to = await installContext(ctx, flags);
    try {
      const report = await install(to, source, {
        trust: flags.propia ? 'propia' : 'tercero',
        ...(flags.solo === undefined ? {} : { only: flags.solo }),
      });
      if (ctx.json)
        printJson(ctx, {
          workspace: report.workspace,
          source: report.source,
          installed: report.skills.map(({ warnings, ...skill }) => ({
            ...skill,
            warnings: warnings.map((p) => ({ ...p, ...spoken(ctx, p) })),
          })),
          ignored: report.ignored,
        });
      else {
        for (const s of report.skills) {
          tellProblems(ctx, s.warnings);
          ctx.out(
            ctx.words.say('cli.skills.installed', {
              name: s.name,
              version: s.version,
              trust: ctx.words.say(`cli.skills.trust.${s.trust}`),
              workspace: report.workspace,
              path: s.path,
            }),
          );
        }
        if (report.ignored.length > 0) ctx.tell(ctx.words.say('cli.skills.ignored', { folders: report.ignored.join(', ') }));
      }
      return EXIT.ok;
    } catch (error) {
      if (!(error instanceof InstallRefusal)) throw error;
      if (ctx.json) printJson(ctx, { workspace: to.workspace, source, installed: [], refused: refusedJson(ctx, error) });
      else tellProblems(ctx, error.problems);
      throw error;
    }
  });

/** Fetches what was installed again; the old stays wherever the new does not pass. */
export const renew = (ctx: Context, name: string | undefined, flags: WorkspaceFlag & { forzar?: boolean }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const to = await installContext(ctx, flags);
    const done = await update(to, { ...(name === undefined ? {} : { name }), ...(flags.forzar ? { force: true } : {}) });
    if (ctx.json)
      printJson(ctx, {
        workspace: to.workspace,
        skills: done.map(({ refusal, warnings, ...rest }) => ({
          ...rest,
          refused: refusal ? refusedJson(ctx, refusal) : null,
          warnings: warnings.map((p) => ({ ...p, ...spoken(ctx, p) })),
        })),
      });
    else {
      if (done.length === 0) ctx.out(ctx.words.say('cli.skills.none_installed', { workspace: to.workspace }));
      for (const u of done) {
        if (u.refusal) {
          tellProblems(ctx, u.refusal.problems);
          ctx.out(
            `${ctx.color.red('✗')} ${u.name} ${u.from.version} · ${ctx.words.say(`library.install.${u.refusal.code}`, u.refusal.params)}`,
          );
        } else
          ctx.out(
            `${ctx.color.green('✓')} ${u.status === 'unchanged' ? ctx.words.say('cli.skills.unchanged', { name: u.name, version: u.from.version, digest: short(u.from.digest) }) : ctx.words.say('cli.skills.updated', { name: u.name, from: u.from.version, to: u.to?.version ?? '', was: short(u.from.digest), is: short(u.to?.digest ?? '') })}`,
          );
      }
    }
    const [worst] = done.flatMap((u) => (u.refusal ? [exitOfRefusal(u.refusal.code)] : []));
    return worst ?? EXIT.ok;
  });

export const take = (ctx: Context, name: string, flags: WorkspaceFlag & { forzar?: boolean }): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const gone = await remove(await installContext(ctx, flags), name, flags.forzar ? { force: true } : {});
    if (ctx.json) printJson(ctx, { removed: gone });
    else ctx.out(ctx.words.say('cli.skills.removed', { name: gone.name, version: gone.version }));
    return EXIT.ok;
  });

/** What lies on disk against what was installed. Ends with 1 when one is not as it was. */
export const check = (ctx: Context, flags: WorkspaceFlag): Promise<ExitCode> =>
  refusing(ctx, async () => {
    const workspace = await workspaceOf(ctx, flags.workspace);
    const found = await verify({ home: homeOf(ctx), workspace });
    const ok = found.every((v) => v.status === 'ok');
    if (ctx.json) printJson(ctx, { workspace, ok, skills: found });
    else if (found.length === 0) ctx.out(ctx.words.say('cli.skills.none_installed', { workspace }));
    else
      for (const v of found)
        ctx.out(
          `${v.status === 'ok' ? ctx.color.green('✓') : ctx.color.red('✗')} ${v.name} ${v.version ?? '–'} · ${ctx.words.say(`cli.skills.verify.${v.status}`, { path: join(v.path, 'SKILL.md'), name: v.name })}`,
        );
    return ok ? EXIT.ok : EXIT.problems;
  });

export const SCOPES = { cuenta: 'account', perfil: 'profile', hilo: 'thread', turno: 'turn' } as const satisfies Record<string, SkillScope>;
export interface StateFlags {
  ambito: keyof typeof SCOPES;
  id?: string;
  motivo?: string;
  siempre?: boolean;
}

/** Says a state in one scope. Off somewhere wider stays off: the answer says what counts. */
export const setState = async (ctx: Context, name: string, state: SkillState, flags: StateFlags): Promise<ExitCode> => {
  const scope = SCOPES[flags.ambito];
  if (scope !== 'account' && flags.id === undefined) throw new CliExit(EXIT.usage, 'cli.skills.needs_id', { scope: flags.ambito });
  const done = await api.putSkillState(
    ctx.client,
    name,
    { scope, ...(flags.id === undefined ? {} : { scope_id: flags.id }) },
    { state, ...(flags.motivo === undefined ? {} : { reason: flags.motivo }) },
  );
  if (ctx.json) printJson(ctx, done);
  else {
    ctx.out(ctx.words.say('cli.skills.said', { name: done.name, state: ctx.words.say(`cli.skills.state.${state}`), scope: flags.ambito }));
    if (done.effective.value !== state)
      ctx.out(
        ctx.words.say('cli.skills.effective', {
          state: ctx.words.say(`cli.skills.state.${done.effective.value}`),
          scope: ctx.words.say(`cli.skills.scope.${done.effective.from}`),
        }),
      );
  }
  return EXIT.ok;
};
