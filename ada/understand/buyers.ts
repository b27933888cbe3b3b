import { plain } from './text.js';

/** Public bodies by the names people give them; first the one that sources write. */
const KNOWN: ReadonlyArray<readonly [string, ...string[]]> = [
  ['IMSS-Bienestar', 'imss bienestar', 'imss-bienestar'],
  ['IMSS', 'instituto mexicano del seguro social', 'seguro social'],
  ['ISSSTE'],
  ['SEDENA', 'defensa nacional', 'secretaria de la defensa nacional', 'secretaria de la defensa', 'ejercito', 'la defensa'],
  ['SEMAR', 'secretaria de marina', 'la marina'],
  ['CFE', 'comision federal de electricidad'],
  ['PEMEX', 'petroleos mexicanos'],
  ['SEP', 'secretaria de educacion publica', 'secretaria de educacion'],
  ['CONAGUA', 'comision nacional del agua'],
  ['SICT', 'sct', 'secretaria de comunicaciones y transportes', 'secretaria de comunicaciones'],
  ['DIF Nacional', 'dif nacional', 'dif'],
  ['Guardia Nacional'],
  ['INEGI'],
  ['Banco del Bienestar'],
  ['SAT'],
  ['INSABI'],
  ['CAPUFE'],
  ['UNAM'],
  ['IPN'],
  ['INE'],
  ['SENASICA'],
  ['FONATUR'],
  ['ISSFAM'],
  ['AIFA'],
  ['INFONAVIT'],
  ['FOVISSSTE'],
  ['SEMARNAT'],
  ['SADER'],
  ['SHCP'],
  ['SEGOB'],
  ['SRE'],
  ['CENACE'],
  ['CENAGAS'],
  ['CONALEP'],
  ['ISSEMYM'],
];
const FORMS = KNOWN.flatMap(([name, ...others]) =>
  [name, ...others].map((said) => ({ name, pattern: new RegExp(`(?<![\\w-])${plain(said).replaceAll(' ', '\\s+')}(?![\\w-])`) })),
).sort((a, b) => b.pattern.source.length - a.pattern.source.length);
/** Kinds of public bodies that stand before a name. */
const BODY =
  /\b((?:gobierno(?:\s+del\s+estado)?|municipio|ayuntamiento|alcaldia|secretaria|instituto|hospital|universidad|comision|congreso|fiscalia|poder judicial|procuraduria|tribunal|aeropuerto|metro|tecnologico|colegio|sistema)\s+(?:de\s+|del\s+|general\s+|regional\s+|publica\s+|politecnico\s+|nacional\s+)*(?:la\s+|las\s+|los\s+|el\s+)?[a-z][\w.-]*(?:\s+(?:de\s+(?:la\s+|las\s+|los\s+)?|del\s+|y\s+)?[a-z][\w.-]*){0,4})/;
/** Where the name of a body ends. */
const END =
  /\s+(?:en\b|este|desde|durante|el\s+(?:ano|mes)|los?\s+ultimos?|ultimos?|y\s+(?:al?|el|la|los|las|por|en|del|de|tambien|cuales|con|cuanto|quien|que|cada|cual|quiero|hay|dime|si)\b|quien|vend\w+|surt\w+|por\b|para\b|que\b|con\b|and\b|in\b|last\b|since\b|over\b|cuanto|cada|compr\w+|uniformes|papeleria|mobiliario|de\s+(?:uniformes|papeleria|material|mobiliario|limpieza|alimentos|viveres|medicamento|vigilancia|alla|aca|aqui)).*$/;

export interface Named {
  value: string;
  from: number;
  to: number;
}
/** An office nobody told us of, by its letters after the word that makes it the buyer. */
const LETTERS =
  /(?:^|\s)(?:a\s+la|al|a|en\s+la|en\s+el|en|de\s+la|del|con\s+la|con\s+el|con|to|by|at)\s+([A-ZÁÉÍÓÚÑ]{2,8}\d?|[A-Z]\d)(?![\p{L}\d])/u;
const BUYING = /\b(?:vend|bend|surt|compr|gan[aoó]|adjudic|contrat|licita|facturad|sold|suppl|award|won|bought|fallo)/;
/** Letters that are a place, a form of company, a kind of file or a job, and no office. */
const NO_OFFICE =
  /^(?:CRM|RFC|RFCS|SA|CV|RL|NL|CDMX|SLP|TI|RH|HR|PDF|CSV|XLS|XLSX|DOC|DOCX|PPT|EXCEL|WORD|URL|API|ERP|KPI|ROI|IVA|USD|MXN|MDP|CEO|CFO|COO|CTO|CIO|B2B|B2C|PYME|PYMES|ONG|ISO|NOM|OK|NO|SI|YA|EU|EUA|USA|EEUU|UK|WEB|SMS|TODO|TODOS|TODAS|HOY|ESE|ESA|ESO|ELLOS|QUE|LOS|LAS)$/;
/** The government, of nobody in particular: "el gobierno", "gobierno federal", "gobierno del país". */
const NOBODY =
  /^(?:gobierno|sistema|instituto|municipio|secretaria)(?:\s+(?:federal|estatal|municipal|mexicano|local|central))?(?:\s+(?:de|del|de la|de los|en)\s*(?:el\s+)?(?:pais|mexico|republica(?: mexicana)?|nacion|estado|estados|municipios?|federacion|gobierno|todo.*|general|cualquier.*))?$/;

const bodyAt = (given: string, flat: string, from: number): Named | null => {
  const range = new RegExp(BODY.source, 'd').exec(flat.slice(from))?.indices?.[1];
  if (!range) return null;
  const [at, end] = [from + range[0], from + range[1]];
  const cut = flat
    .slice(at, end)
    .replace(END, '')
    .replace(/[\s.]+$/, '');
  const value = given
    .slice(at, at + cut.length)
    .replace(/^ayuntamiento/i, 'Municipio')
    .replace(/^alcald[ií]a/i, 'Alcaldía')
    .replace(/^gobierno del estado de (?!m[eé]xico)/i, 'Gobierno de ');
  return { value: value.charAt(0).toUpperCase() + value.slice(1), from: at, to: at + Math.max(cut.length, 1) };
};
/** "al de Sonora", after a government or a municipality was named: another one of the kind. */
const ANOTHER =
  /^(?:\s*,)?\s+(?:y|e|o|u|and|or)\s+(?:tambien\s+)?(?:al|a\s+la|el|la|del|de\s+la|en\s+el)\s+de\s+((?:la\s+|los\s+)?[a-z][\w-]+(?:\s+(?:leon|california|potosi|roo|sur))?)/d;

/** The public bodies that a message names, in its order. */
export const buyersIn = (given: string, flat: string): Named[] => {
  const found: Named[] = [];
  const free = (from: number, to: number): boolean => !found.some((one) => from < one.to && to > one.from);
  for (const { name, pattern } of FORMS) {
    for (const match of flat.matchAll(new RegExp(pattern.source, 'g'))) {
      const to = match.index + match[0].length;
      if (free(match.index, to) && !found.some((one) => one.value === name)) found.push({ value: name, from: match.index, to });
      else if (free(match.index, to)) found.push({ value: '', from: match.index, to });
    }
  }
  for (let body = bodyAt(given, flat, 0); body; body = bodyAt(given, flat, body.to)) {
    const said = flat.slice(body.from, body.to);
    if (!/\s/.test(said) || NOBODY.test(said) || !free(body.from, body.to)) continue;
    found.push(body);
    const next = ANOTHER.exec(flat.slice(body.to))?.indices?.[1];
    if (next && /^(?:gobierno|municipio|ayuntamiento|alcaldia|secretaria|fiscalia|congreso)/.test(said)) {
      const [at, end] = [body.to + next[0], body.to + next[1]];
      if (free(at, end)) found.push({ value: `${body.value.split(/\s+/)[0] ?? ''} de ${given.slice(at, end)}`, from: at, to: end });
    }
  }
  if (/[a-z]/.test(given) && BUYING.test(flat)) {
    // Beside one that is known, another only where it is joined to it.
    const joined = found.length > 0;
    const pattern = new RegExp(
      joined ? `(?:,|\\s(?:y|e|o|u|and|or))${LETTERS.source.replace('(?:^|\\s)', '\\s+')}` : LETTERS.source,
      'dgu',
    );
    for (const match of given.matchAll(pattern)) {
      const range = match.indices?.[1];
      if (!range || NO_OFFICE.test(given.slice(...range)) || !free(...range)) continue;
      found.push({ value: given.slice(...range), from: range[0], to: range[1] });
      if (!joined) break;
    }
  }
  return found.sort((a, b) => a.from - b.from);
};
