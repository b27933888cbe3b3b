import type { Board, Facts, Stage } from '../contracts/turn.js';

/** Where a conversation stands; derived after compiling and again after folding, never stored by hand. */
export const stageFor = (facts: Facts, board: Board): Stage => {
  if (board.pending.length > 0) return 'decision_pendiente';
  if (board.selection.length > 0) return 'con_seleccion';
  if (board.list.length > 0) return 'con_lista';
  return Object.values(facts).some((fact) => fact.status === 'dicho') ? 'buscando' : 'sin_criterio';
};
