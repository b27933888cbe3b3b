import { plain } from './text.js';

/** Public bodies by the names people give them; first the one that sources write. */
const KNOWN: ReadonlyArray<readonly [string, ...string[]]> = [
  ['IMSS-Bienestar', 'imss bienestar', 'imss-bienestar'], ['IMSS', 'instituto mexicano del seguro social', 'seguro social'], ['ISSSTE'], ['SEDENA', 'defensa nacional', 'secretaria de la defensa nacional', 'secretaria de la defensa', 'ejercito', 'la defensa'],
  ['SEMAR', 'secretaria de marina', 'la marina'], ['CFE', 'comision federal de electricidad'], ['PEMEX', 'petroleos mexicanos'], ['SEP', 'secretaria de educacion publica', 'secretaria de educacion'], ['CONAGUA', 'comision nacional del agua'],
  ['SICT', 'sct', 'secretaria de comunicaciones y transportes', 'secretaria de comunicaciones'], ['DIF Nacional', 'dif nacional', 'dif'], ['Guardia Nacional'], ['INEGI'], ['Banco del Bienestar'], ['SAT'], ['INSABI'], ['CAPUFE'], ['UNAM'], ['IPN'], ['INE'], ['SENASICA'], ['FONATUR'],
];
const FORMS = KNOWN.flatMap(([name, ...others]) => [name, ...others].map((said) => ({ name, pattern: new RegExp(`(?<![\\w-])${plain(said).replaceAll(' ', '\\s+')}(?![\\w-])`) }))).sort((a, b) => b.pattern.source.length - a.pattern.source.length);
/** Kinds of public bodies that stand before a name. */
const BODY = /\b((?:gobierno(?:\s+del\s+estado)?|municipio|ayuntamiento|alcaldia|secretaria|instituto|hospital|universidad|comision|congreso|fiscalia|poder judicial|procuraduria|tribunal|aeropuerto|metro|tecnologico|colegio|sistema)\s+(?:de\s+|del\s+|general\s+|regional\s+|publica\s+|politecnico\s+|nacional\s+)*(?:la\s+|las\s+|los\s+|el\s+)?[a-z][\w.-]*(?:\s+(?:de\s+(?:la\s+|las\s+|los\s+)?|del\s+|y\s+)?[a-z][\w.-]*){0,4})/;
/** Where the name of a body ends. */
const END = /\s+(?:en\b|este|desde|durante|el\s+(?:ano|mes)|los?\s+ultimos?|ultimos?|y\s+(?:a|con|cuanto|quien|que|cada|cual|quiero|hay|dime|si)\b|quien|vend\w+|surt\w+|por\b|para\b|que\b|con\b|and\b|in\b|last\b|since\b|over\b|cuanto|cada|compr\w+|uniformes|papeleria|mobiliario|de\s+(?:uniformes|papeleria|material|mobiliario|limpieza|alimentos|viveres|medicamento|vigilancia|alla|aca|aqui)).*$/;

export interface Named { value: string; from: number; to: number }
/** An office nobody told us of, by its letters after the word that makes it the buyer. */
const LETTERS = /(?:^|\s)(?:a\s+la|al|a|en\s+la|en\s+el|en|de\s+la|del|con\s+la|con\s+el|con|to|by|at)\s+([A-ZÁÉÍÓÚÑ]{2,8}\d?|[A-Z]\d)(?![\p{L}\d])/u;

/** The public body that a message names. */
export const buyerIn = (given: string, flat: string): Named | null => {
  const body = new RegExp(BODY.source, 'd').exec(flat);
  for (const { name, pattern } of FORMS) {
    const found = pattern.exec(flat);
    if (found) return { value: name, from: found.index, to: found.index + found[0].length };
  }
  const range = body?.indices?.[1];
  const letters = range ? null : new RegExp(LETTERS.source, 'du').exec(given)?.indices?.[1];
  if (letters && /[a-z]/.test(given) && /\b(?:vend|bend|surt|compr|gan[aoó]|adjudic|contrat|licita|facturad|sold|suppl|award|won|bought|fallo)/.test(flat) && !/^(?:CRM|RFC|SA|CV|RL|NL|CDMX|SLP|TI|RH)$/.test(given.slice(...letters))) return { value: given.slice(...letters), from: letters[0], to: letters[1] };
  if (!range) return null;
  const cut = flat.slice(range[0], range[1]).replace(END, '').replace(/[\s.]+$/, '');
  const value = given.slice(range[0], range[0] + cut.length).replace(/^ayuntamiento/i, 'Municipio').replace(/^alcald[ií]a/i, 'Alcaldía').replace(/^gobierno del estado de (?!m[eé]xico)/i, 'Gobierno de ');
  // "El gobierno" alone is nobody in particular.
  return /\s/.test(cut) && !/^(?:gobierno|sistema|instituto) (?:federal|estatal|municipal|mexicano)$/.test(cut) ? { value: value.charAt(0).toUpperCase() + value.slice(1), from: range[0], to: range[0] + cut.length } : null;
};
