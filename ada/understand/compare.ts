/** Where to go next: the same trade, in a state that is not the one it was about. */
const MOVE =
  /\b(?:a|en|hacia|para|por) (?:que|cual|donde|otro|otra|otros)\b.{0,40}\b(?:conviene|convendria|movernos|mover(?:me|se)?|expandir\w*|crecer|abrir|atacar|irnos|entrarle|entrar|seguir|sigue)\b|\b(?:que|cual|donde)\b.{0,30}\b(?:estado|plaza|zona|region|ciudad|territorio)s?\b.{0,40}\b(?:conviene|convendria|movernos|mover(?:me|se)?|expandir\w*|crecer|abrir|atacar|irnos|entrarle|sigue|seguiria)\b|\b(?:a donde|adonde|donde) (?:mas )?(?:nos |me )?(?:conviene|convendria|movemos|muevo|expand\w*|crecemos|abrimos)\b|\b(?:which|what) (?:other )?(?:state|region|place|city)\b.*\b(?:move|expand|go|next|enter|grow)\b|\bwhere (?:else )?(?:should|could|do) (?:we|i) (?:move|expand|go|grow)\b/;
export const asksToMove = (flat: string): boolean =>
  MOVE.test(flat) && !/\b(?:etapa|cuenta|campana|registro|contacto|correo|crm|pipeline|embudo|cartera|oportunidades)\b/.test(flat);
/** It asks for another one than where they are. */
export const asksForAnother = (flat: string): boolean =>
  /\botr[oa]s?\b|\bother\b|\belse\b|\bya (?:le |la |lo )?(?:pegamos|cubrimos|trabajamos|barrimos|acabamos|tenemos|agotamos)\b|\bademas de\b|\baparte de\b|\bdespues de\b|\bbesides\b|\bafter\b/.test(
    flat,
  );
