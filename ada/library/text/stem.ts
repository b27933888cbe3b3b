import { stemmer } from '@orama/stemmers/spanish';
import { fold } from './fold.js';

const PRONOUNS = /^(.{2,}?)(?:me|te|se|nos|le|les)?(?:lo|la|los|las|le|les|me|nos)$/;
/** Orders that people put pronouns behind: "guárdalos", "consígueme", "aviéntamelas". Without accents and in the singular. */
const ORDERS = new Set(
  (
    'abre agrega ahorra apunta arma anade añade anota avienta averigua ayuda baja borra busca cambia carga checa compara comparte comienza consigue contacta copia crea cuenta da dame deja ' +
    'descarga di dime echa elige elimina encuentra ensena enseña entrega envia escribe explica exporta genera guarda haz identifica importa investiga jala junta lanza lista localiza ' +
    'manda mete muestra ordena pasa platica pon prepara prioriza programa prospecta quita rastrea recomienda redacta registra resume revela revisa saca separa sigue sube sugiere ' +
    'suma trae ubica verifica volta ve'
  ).split(' '),
);

/** "muestramelos" → "muestra"; anything that is not an order with pronouns stays as it is. */
const withoutPronouns = (word: string): string => {
  if (word.length < 5) return word;
  for (let base = PRONOUNS.exec(word)?.[1]; base !== undefined; base = PRONOUNS.exec(base)?.[1]) if (ORDERS.has(base)) return base;
  // The infinitive and the gerund carry them too: "mandarles", "buscandolos".
  return word.replace(/^(.+(?:[aei]r|ando|iendo))(?:me|te|se|nos)?(?:lo|la|los|las|le|les|me|nos|se)$/, '$1');
};

/** Verbs whose stem changes: their forms are one word to us. */
// A map: words like "constructor" are looked up too.
const IRREGULAR = new Map<string, string>(
  Object.entries({
    consigue: 'conseguir',
    consigues: 'conseguir',
    consigan: 'conseguir',
    consiga: 'conseguir',
    sigue: 'seguir',
    sigues: 'seguir',
    siga: 'seguir',
    muestra: 'mostrar',
    muestras: 'mostrar',
    muestre: 'mostrar',
    muestres: 'mostrar',
    encuentra: 'encontrar',
    encuentras: 'encontrar',
    cuenta: 'cuenta',
    avienta: 'aventar',
    avientas: 'aventar',
    ensena: 'enseñar',
    anade: 'añadir',
    años: 'año',
    busque: 'buscar',
    busques: 'buscar',
    busquen: 'buscar',
    busquemos: 'buscar',
    vendio: 'vender',
    vende: 'vender',
    venden: 'vender',
    vendido: 'vender',
    vendieron: 'vender',
    vendiendo: 'vender',
    surte: 'surtir',
    surten: 'surtir',
    surtio: 'surtir',
    surtido: 'surtir',
    gana: 'ganar',
    gano: 'ganar',
    ganan: 'ganar',
    ganaron: 'ganar',
    ganado: 'ganar',
    ganadores: 'ganador',
    haz: 'hacer',
    hazme: 'hacer',
    hace: 'hacer',
    hagas: 'hacer',
    hagamos: 'hacer',
    pon: 'poner',
    ponlos: 'poner',
    ponlas: 'poner',
    ponme: 'poner',
    dame: 'dar',
    da: 'dar',
    dan: 'dar',
    di: 'decir',
    dime: 'decir',
    quedate: 'quedar',
    sabemos: 'saber',
    sabe: 'saber',
    sabes: 'saber',
    se: 'se',
    vendemos: 'vender',
    vamos: 'ir',
    va: 'ir',
    van: 'ir',
    vas: 'ir',
    voy: 'ir',
    tengo: 'tener',
    tienes: 'tener',
    tenemos: 'tener',
    tiene: 'tener',
    tienen: 'tener',
    traigo: 'traer',
    trae: 'traer',
    quiero: 'querer',
    quiere: 'querer',
    quieren: 'querer',
    ocupo: 'necesitar',
    ocupamos: 'necesitar',
    necesito: 'necesitar',
    necesitamos: 'necesitar',
    cierra: 'cerrar',
    cierran: 'cerrar',
    cierro: 'cerrar',
    vence: 'vencer',
    vencen: 'vencer',
    provee: 'proveer',
    proveen: 'proveer',
    proveyo: 'proveer',
    adjudico: 'adjudicar',
  }),
);

const cache = new Map<string, string>();
const CACHED = 20_000;

/**
 * Stem of a folded word, the same with and without accents: endings that the stemmer knows only accented get their accent
 * back first. Words that stay unknown keep their letters.
 */
export const stem = (folded: string): string => {
  const known = cache.get(folded);
  if (known !== undefined) return known;
  const bare = withoutPronouns(folded);
  const regular = IRREGULAR.get(bare) ?? bare;
  const accented = regular.replace(/([cs])ion$/, '$1ión').replace(/([aei])ria(n?)$/, '$1ría$2');
  const found = fold(stemmer(accented)) || folded;
  if (cache.size >= CACHED) cache.clear();
  cache.set(folded, found);
  return found;
};
