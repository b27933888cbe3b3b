/** Conditions that people put on a list and that no source here can check: who else they buy from, how many employees, certificates. */
export interface Unresolved {
  kind: 'exclusion' | 'condition';
  text: string;
  from: number;
  to: number;
}

const END =
  '(?=\\s*[.;?!]|,?\\s+(?:y|and)\\s+(?:de|dime|dame|ensena|muestra|pasa|guarda|cuanto|cuantos|cuantas|quien|quienes|cual|cuales|show|tell|give|save)\\w*|,\\s*(?:dime|dame|ensena|muestra|pasa|guarda|porfa|por favor|please|sino)|\\s+(?:sino|porfa|por favor|xfa|please|but)\\b|\\s*$)';
const WHO =
  '(?:a\\s+)?(?:l[oa]s?|l[oa]s de|el|la|quienes|quien|aquell[oa]s|es[oa]s|cualquier|mi|mis|nuestr[oa]s|the|those|my|our|any|anyone|companies|whoever)';
/** "sin contar a los que…", "excepto las…", "que no sean…": who is to be left out. */
const EXCLUSIONS = [
  new RegExp(
    `\\b(?:sin (?:contar|incluir|considerar|tomar en cuenta|meter|traer)|excluyendo|excluye|exceptuando|descartando|descarta|dejando (?:a)?fuera|deja (?:a)?fuera|quitando|omitiendo|omite|excluding|leaving out|leave out|without counting|not counting|other than)\\s+(.{3,110}?)${END}`,
  ),
  new RegExp(
    `\\b(?:excepto|salvo|except(?: for)?)\\s+(?!(?:la|el|los|las)?\\s*(?:primer|segund|tercer|cuart|quint|ultim|numero|first|second|third|last))(.{3,110}?)${END}`,
  ),
  new RegExp(`\\b(?:menos|pero no|y no|no quiero(?: a| ver a)?|not|but not)\\s+(${WHO}\\s+(?:que|de|who|that|which)\\s+.{3,100}?)${END}`),
  new RegExp(`(?:^|[,;]\\s*|\\s)no\\s+(l[oa]s\\s+que\\s+.{3,100}?)${END}`),
];
const COUNTED =
  '(?:empleados?|trabajadores|personas|gentes?|colaboradores|obreros|sucursales|camiones|unidades|alumnos|camas|habitaciones|employees|workers|staff|people|branches|trucks)';
/** How many work there, what they turn over, what they hold: nothing that a source files. */
const CONDITIONS = [
  new RegExp(
    `\\bque\\s+(?:todavia\\s+|aun\\s+)?no\\s+(?:sean?|tengan?|esten?|hayan?|le|les|nos|me|se|trabaj[ea]n?|vend[ae]n?|compr[ea]n?|surtan?|usen?|cuenten?|pertenezcan?|[a-z]{3,}[ae]n)\\b.{0,100}?${END}`,
  ),
  new RegExp(`\\b(?:who|that|which)\\s+(?:don't|do not|haven't|have not|aren't|are not|didn't)\\s+.{3,100}?${END}`),
  new RegExp(
    `\\b(?:(?:de|con|que tengan|with)\\s+)?(?:mas|menos|minimo|maximo|al menos|arriba|over|under|more|less|fewer|at least)\\s+(?:de\\s+|than\\s+)?[\\d,]+\\s+${COUNTED}\\b`,
  ),
  new RegExp(`\\b(?:con|de|with)\\s+(?:entre\\s+)?[\\d,]+\\s+(?:a|y|o|to|-)\\s+[\\d,]+\\s+${COUNTED}\\b`),
  /\bque\s+(?:facturen?|vendan|ganen)\s+(?:mas|menos|arriba|al menos|minimo)\s+(?:de\s+)?\$?[\d,.]+\s*(?:millones|mdp|mil(?:lones)?)?(?:\s+(?:de\s+)?(?:pesos|mxn|dolares|usd))?(?:\s+al\s+ano)?/,
  /\b(?:que\s+(?:tengan|cuenten con)|con|certificad[oa]s?\s+(?:en|con)?)\s*(?:certificacion\s+|certificado\s+|norma\s+)?(?:iso[\s-]?\d*|haccp|iatf[\s-]?\d*|fda|cofepris|distintivo\s+\w+|certificacion(?:es)?|esr)\b/,
  /\bque\s+(?:ya\s+)?(?:exporten|importen|tengan\s+(?:pagina|sitio|flotilla|sucursal\w*|exportacion\w*|tienda)|usen\s+\w+|cuenten\s+con\s+\w+)(?:\s+(?:web|propi[oa]s?|en\s+linea|a\s+\w+(?:\s+unidos)?))*/,
];
/** Nothing is left out by these: costs, taps, places in a list. */
const NOT_THAT =
  /^(?:nada|nadie|tanto|mucho|gastar|costo|cuesta|pagar|revelar|guardar|preguntar|limite|compromiso|iva|estado|campana|secuencia|correos?|borradores|se puede|es|hay|problema|that|this|much)\b/;

/** What is asked to be left out, or asked of each company, that nobody can resolve here; in order, with its place in the text. */
export const unresolvedIn = (given: string, flat: string): Unresolved[] => {
  const found: Unresolved[] = [];
  const put = (kind: Unresolved['kind'], from: number, to: number, [at, end]: readonly [number, number]): void => {
    const text = given
      .slice(at, end)
      .replace(/[\s,.;]+$/u, '')
      .trim()
      .replace(/^a\s+(?=(?:l[oa]s|mis|nuestr[oa]s|quienes|aquell[oa]s|el|la)\s)/i, '');
    if (
      text.length >= 3 &&
      !(kind === 'exclusion' && NOT_THAT.test(flat.slice(at, end))) &&
      !found.some((one) => from < one.to && to > one.from)
    )
      found.push({ kind, text, from, to });
  };
  for (const pattern of EXCLUSIONS) {
    const match = new RegExp(pattern.source, 'd').exec(flat);
    const inner = match?.indices?.[1];
    if (match && inner) put('exclusion', match.index, match.index + match[0].length, inner);
  }
  for (const pattern of CONDITIONS) {
    const match = pattern.exec(flat);
    if (match) put('condition', match.index, match.index + match[0].length, [match.index, match.index + match[0].length]);
  }
  return found.sort((a, b) => a.from - b.from);
};
