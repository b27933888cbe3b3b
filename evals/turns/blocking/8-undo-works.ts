import { checked, type Blocking } from './check.js';

/** A save that came of a tap can be undone: token, window, the card says until when, the rows go, and what somebody edited since stays. */
export const undoWorks: Blocking = {
  id: 8,
  title: 'Undo works',
  check: (dump) => {
    const probes = dump.probes.undo;
    const misses = probes.flatMap((undo) =>
      [
        undo.error ?? '',
        undo.saved === undo.wanted && undo.saved > 0 ? '' : `${undo.saved} of ${undo.wanted} saved`,
        undo.undo_token ? '' : 'no token',
        undo.undo_until && undo.window_ms > 0 ? '' : 'no window',
        undo.card_undo_until ? '' : 'the card does not say until when',
        undo.removed === undo.saved && undo.left === 0 ? '' : `${undo.removed ?? 0} of ${undo.saved} removed, ${undo.left} left`,
        undo.refused_after_edit === 'rows_changed' ? '' : `after an edit: ${undo.refused_after_edit ?? 'not refused'}`,
      ]
        .filter(Boolean)
        .map((why) => ({ brief: undo.case, k: 0, why })),
    );
    return checked(8, 'Undo works', probes.length, [
      ...misses,
      ...(probes.length === 0 ? [{ brief: 'undo', k: 0, why: 'nothing was tried' }] : []),
    ]);
  },
};
