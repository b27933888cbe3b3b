import { flat } from '../anchors.js';
import { done, rowsOf, defect, type Context, type Defect, type Rule } from './rule.js';

/** Nothing is claimed from what a search shows in passing when no page or record of it was opened in this turn, whoever searched. */

interface Source {
  /** Lists snippets; opens one. */
  search: RegExp;
  open: RegExp;
  /** Rows of the search, in its result. */
  rows: string;
  /** A sentence that claims what only an opened one says, whatever it anchors. */
  claims: RegExp;
  /** With an anchor of a row, everything is a claim but naming and dating it. */
  anchored: boolean;
}
const SOURCES: readonly Source[] = [
  {
    search: /^context_retrieve$/,
    open: /^context_get$/,
    rows: 'topics',
    anchored: true,
    claims:
      /\b(?:segun|de acuerdo con|como dice|dice|indica|recomienda|pide|marca|ense[nñ]a)\b[^.]{0,40}\b(?:el )?(?:playbook|equipo|manual de ventas|guia)\b|\b(?:el )?(?:playbook|equipo)\b[^.]{0,20}\b(?:dice|indica|recomienda|pide|marca|sugiere|escribio que|tiene escrito que)\b|\b(?:according to|as) (?:the |your )?(?:playbook|team)|\b(?:playbook|team)(?:'s \w+)? (?:says|recommends|asks|suggests|states)\b/,
  },
  {
    search: /^market_search_opportunities$/,
    open: /^market_get_opportunity$/,
    rows: 'opportunities',
    anchored: false,
    claims:
      /\b(?:requisitos?|exigen?|piden?|solicitan?|bases de la|anexos?|garantia|fianza|junta de aclaraciones|preguntas (?:hasta|se reciben)|(?:la )?fecha de fallo|el fallo|visita al sitio|especificaciones|ya (?:le |les |te |nos )?compr\w+|compr\w+ antes|contratos? anterior(?:es)?|recompra|requirements?|requires?|asks? for|bid bond|questions until|award(?:ed)? on|previous contracts?|bought (?:it |this )?before)\b/,
  },
];
/** Sentences that only say what there is. */
const LISTING =
  /\b(?:esta en|is in|hay|encontre|encontramos|aparecen?|existen?|vi|temas?|titulos?|se llaman?|relacionad|podria (?:servir|ayudar)|puedo abrir|abrirlo|lo abro|abrir|actualizad[oa]|found|there (?:is|are)|topics?|titled|called|might help|open it|can open|updated)\b/;
const CLAIMING =
  /\b(?:dice|indica|recomienda|pide|sugiere|hay que|debe|deben|conviene|ofrece|ofrecer|descuento|nunca|siempre|responde|contesta|says|recommends|asks|suggests|must|should|always|never|offer)\b/;

const refsOf = (context: Context, { search, rows }: Source): Set<string> =>
  new Set(
    done(context, search).flatMap((call) => {
      const list = (call.result as Record<string, unknown> | null)?.[rows];
      return Array.isArray(list)
        ? list.flatMap((row) =>
            row !== null && typeof row === 'object' && typeof (row as { ref?: unknown }).ref === 'string'
              ? [(row as { ref: string }).ref]
              : [],
          )
        : [];
    }),
  );

export const soloResultados: Rule = ({ narration }, context) =>
  SOURCES.flatMap((source): Defect[] => {
    if (!done(context, source.search).some((call) => rowsOf(call.result) > 0) || done(context, source.open).length > 0) return [];
    const snippets = refsOf(context, source);
    return narration.sentences.flatMap((sentence) => {
      const small = flat(narration.masked.slice(sentence.at, sentence.end));
      const anchored = sentence.anchors.some((anchor) => snippets.has(anchor.ref));
      const claim = source.claims.test(small) || (source.anchored && anchored && (CLAIMING.test(small) || !LISTING.test(small)));
      return claim ? [defect('solo_resultados', 'solo_resultados.claim', sentence.text, sentence.at)] : [];
    });
  });
