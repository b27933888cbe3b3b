import type { BoardRow, TurnOutput } from '../../../contracts/turn.js';
import { rowsMeant } from '../../understand/amounts.js';
import { at, limit, nextMessage, reply, type Turn } from '../answer.js';
import { closeStart, showPending } from '../cards.js';
import { call, type Steps } from '../follow.js';

const savable = (row: BoardRow): boolean => row.kind === 'company' || row.kind === 'supplier';
/** What is meant to be kept: rows named by their place or their name, else the selection, else the list that is in sight. */
const meant = (turn: Turn): BoardRow[] => {
  const { board } = turn.view;
  const { flat } = turn.reading;
  const from = (board.selection.length > 0 ? board.selection : board.list).filter(savable);
  const places = rowsMeant(flat, from.length);
  if (places) return places.flatMap((i) => from[i] ?? []);
  const size = turn.reading.tamano;
  const sized = size ? from.filter((row) => row.detail?.toLowerCase().includes(size)) : [];
  if (sized.length > 0) return sized;
  const words = flat.replace(/[^a-z0-9ñ]+/g, ' ');
  const named = from.filter((row) => {
    const [head] = row.name
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .split(',');
    return head !== undefined && head.length > 5 && words.includes(head.replace(/[^a-z0-9ñ]+/g, ' ').trim());
  });
  if (named.length > 0) return named;
  const count = turn.reading.cantidad;
  return count !== null && count < from.length ? from.slice(0, count) : from;
};

/** Longer ago than anything can be undone. */
const LONG_AGO =
  /\b(?:ayer|antier|hace (?:rato|un rato|horas?|dias?|\w+ (?:horas|dias|semanas|meses))|semana pasada|mes pasado|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)|yesterday|last (?:week|month)|days ago|hours ago)\b/;
/** Keeps what is chosen: shows what would be saved and leaves the tap to the person. */
export const guardarEnCrm = function* (turn: Turn): Steps<TurnOutput> {
  const { view, say } = turn;
  if (
    /\b(?:deshaz\w*|deshacer|deshaga\w*|quita lo que|borra lo que|undo|unsave|revierte|revertir|regresa lo que|cancela (?:el|lo) guardad\w*)\b/.test(
      turn.reading.flat,
    )
  )
    return reply({
      narration: [LONG_AGO.test(turn.reading.flat) ? say('guardar.undo_over') : '', say('guardar.undo')],
      siguiente: nextMessage(say('guardar.saved_label'), say('guardar.saved')),
    });
  if (view.board.pending.length > 0) return yield* showPending(turn, say('card.first_this'));
  const rows = meant(turn);
  const left = (view.board.selection.length > 0 ? view.board.selection : view.board.list).filter((row) => !savable(row));
  if (rows.length === 0) {
    return limit('dato', say('guardar.choose'), {
      narration: [say(left.length > 0 ? 'guardar.not_companies' : 'guardar.empty'), say('guardar.choose')],
      siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
    });
  }
  const whole = view.board.selection.length > 0 ? view.board.selection : view.board.list;
  const made = yield* call('proponer_decision', { kind: 'guardar_en_crm', refs: rows.map((row) => row.ref) });
  const lead = say('guardar.lead', {
    n: rows.length,
    of: whole.filter(savable).length,
    part: rows.length < whole.filter(savable).length ? 'yes' : 'no',
    rows: rows
      .slice(0, 3)
      .map((row) => at(row.ref))
      .join(', '),
    more: rows.length > 3 ? 'yes' : 'no',
  });
  return closeStart(turn, made, rows.length, lead);
};
