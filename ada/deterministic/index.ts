import type { TurnOutput } from '../../contracts/turn.js';
import { SKILLS, type Skill } from '../../contracts/states.js';
import { ModelFailure, type Model } from '../ports/model.js';
import type { TurnView } from '../turn-view.js';
import { asksToShow, isRefinement } from '../understand/index.js';
import { turnOf, type Turn } from './answer.js';
import { follow, type Steps } from './follow.js';
import { actionOf, campana } from './recipes/campana.js';
import { armarSecuencia } from './recipes/armar-secuencia.js';
import { buscarEmpresasYProveedores } from './recipes/buscar-empresas-y-proveedores.js';
import { comoVaMiPipeline } from './recipes/como-va-mi-pipeline.js';
import { conseguirContactos } from './recipes/conseguir-contactos.js';
import { cuantosHay } from './recipes/cuantos-hay.js';
import { guardarEnCrm } from './recipes/guardar-en-crm.js';
import { queSabeElEquipo } from './recipes/que-sabe-el-equipo.js';
import { quienLeHaVendido } from './recipes/quien-le-ha-vendido.js';
import { senalesYOportunidades } from './recipes/senales-y-oportunidades.js';
import { trabajarUnaCuenta } from './recipes/trabajar-una-cuenta.js';
import { repaired } from './repair.js';
import { smallTalk } from './small-talk.js';

const RECIPES: Readonly<Record<Skill, (turn: Turn) => Steps<TurnOutput>>> = {
  campana, 'cuantos-hay': cuantosHay, 'buscar-empresas-y-proveedores': buscarEmpresasYProveedores, 'quien-le-ha-vendido': quienLeHaVendido, 'senales-y-oportunidades': senalesYOportunidades,
  'como-va-mi-pipeline': comoVaMiPipeline, 'trabajar-una-cuenta': trabajarUnaCuenta, 'conseguir-contactos': conseguirContactos, 'armar-secuencia': armarSecuencia, 'que-sabe-el-equipo': queSabeElEquipo, 'guardar-en-crm': guardarEnCrm,
};
const known = (name: string | null | undefined): Skill | null => SKILLS.find((one) => one === name) ?? null;
/** Which recipe asks for a fact, where its answer comes and nothing else tells what it belongs to. */
const ASKS: Record<string, Skill> = { giro: 'buscar-empresas-y-proveedores', comprador: 'quien-le-ha-vendido', producto: 'quien-le-ha-vendido', cargo: 'conseguir-contactos', cuenta: 'trabajar-una-cuenta', cantidad: 'campana', tema: 'que-sabe-el-equipo', seleccion: 'campana', contactos: 'armar-secuencia' };

/** The recipe to follow: the router's word, else what the message leans on, else none. */
export const recipeFor = (view: TurnView, turn: Turn): Skill | null => {
  const { flat } = turn.reading;
  const open = view.open.flatMap((skill) => known(skill.name) ?? []);
  const routed = view.routed.candidates.flatMap((name) => known(name) ?? []);
  const last = known([...view.board.runs].reverse().find((run) => run.skill !== null)?.skill);
  const shows = asksToShow(flat) && view.board.runs.some((run) => /^(?:market_count|market_compare|market_search_suppliers|company_search)/.test(run.tool));
  if (view.routed.decision === 'inject' && routed[0]) return open.includes(routed[0]) ? routed[0] : (open[0] ?? routed[0]);
  if (view.routed.decision === 'clarify') return null;
  if (shows) return 'buscar-empresas-y-proveedores';
  // Pause, go on, fewer: of the campaign that is open.
  if (view.runs.length > 0 && view.routed.decision !== 'suggest' && !['new', 'yes'].includes(actionOf(turn)) && flat.split(/\s+/).length <= 8 && !BALANCE.test(flat)) return 'campana';
  // What was opened by name or carried over from a question.
  if (open.length > 0 && (view.asked !== null || view.routed.decision === 'none') && !TALK.test(flat.trim())) return open.at(-1) ?? null;
  if (view.asked !== null && flat.split(/\s+/).length <= 6 && !TALK.test(flat.trim())) return last ?? ASKS[view.asked] ?? null;
  if (isRefinement(turn.reading) && last !== null) return last === 'guardar-en-crm' ? 'buscar-empresas-y-proveedores' : last;
  if (view.routed.decision === 'suggest' && routed[0]) return routed[0];
  return open.length > 0 && !TALK.test(flat.trim()) ? (open.at(-1) ?? null) : null;
};
const TALK = /^\W*(?:hola|holi|buen|hey|hi|hello|gracias|thanks|adios|bye|ok\W*$|si\W*$|no\W*$)/;
const BALANCE = /\b(?:saldo|creditos|consultas)\b/;

const steps = function* (view: TurnView, turn: Turn): Steps<TurnOutput> {
  const name = recipeFor(view, turn);
  if (name === null) return yield* smallTalk(turn);
  if (!view.open.some((skill) => skill.name === name)) {
    const opened = yield [{ name: 'skill_open', args: { name } }];
    // There is no room for a third, or it is not theirs: what can be said without it.
    if (!opened[0]?.ok && !['ya_abierta', 'sin_paso'].includes(opened[0]?.code ?? '')) {
      const other = view.open.flatMap((skill) => known(skill.name) ?? []).at(-1);
      return other ? yield* RECIPES[other](turn) : yield* smallTalk(turn);
    }
  }
  return yield* RECIPES[name](turn);
};

export interface DeterministicOptions { now?: () => Date }

/**
 * Ada without a model behind her: follows the recipe that was chosen, step by step, through the same belt, checks and events as a model. Nothing is
 * kept between two requests and nothing leaves the process.
 */
export const deterministicModel = ({ now = () => new Date() }: DeterministicOptions = {}): Model => ({
  name: 'sin-modelo', kind: 'deterministic',
  cost: () => 0,
  complete: async ({ view, signal, onText }) => {
    if (signal.aborted) throw new ModelFailure('aborted');
    const turn = turnOf(view, now());
    const next = follow(steps(view, turn), view);
    const usage = { in: 0, out: 0 };
    if ('calls' in next) return { kind: 'tools', calls: next.calls.map(({ name, args }, i) => ({ id: `d${view.worked.length + i + 1}`, name, args })), usage, ttftMs: null };
    const text = JSON.stringify(view.problems.length > 0 ? repaired(next.end, view.problems, turn) : next.end);
    onText?.(text);
    return { kind: 'answer', text, usage, ttftMs: null };
  },
});
