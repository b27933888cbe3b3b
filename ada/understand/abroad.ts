/** Countries and regions that no source here covers, by the names people give them, in small letters without accents. */
const COUNTRIES = [
  'guatemala',
  'honduras',
  'el salvador',
  'nicaragua',
  'costa rica',
  'panama',
  'belice',
  'colombia',
  'venezuela',
  'ecuador',
  'peru',
  'bolivia',
  'paraguay',
  'uruguay',
  'argentina',
  'brasil',
  'brazil',
  'republica dominicana',
  'puerto rico',
  'cuba',
  'estados unidos(?! mexicanos)',
  'ee ?\\.?uu\\.?',
  'eua',
  'usa',
  'united states',
  'canada',
  'espana',
  'spain',
  'portugal',
  'francia',
  'france',
  'alemania',
  'germany',
  'italia',
  'italy',
  'reino unido',
  'united kingdom',
  'inglaterra',
  'china',
  'japon',
  'japan',
  'corea(?: del sur)?',
  'korea',
  'la india',
  'taiwan',
  'vietnam',
  'turquia',
  'texas',
  'florida',
  'arizona',
  'nueva york',
  'new york',
  'los angeles',
  'houston',
  'miami',
  'madrid',
  'bogota',
  'medellin',
  'buenos aires',
  'sao paulo',
  'centroamerica',
  'central america',
  'sudamerica',
  'south america',
  'latinoamerica',
  'latin america',
  'europa',
  'europe',
  'asia',
  'el extranjero',
  'otros? pais(?:es)?',
  'fuera de mexico',
  'fuera del pais',
  'outside (?:of )?mexico',
  'abroad',
];
/** Said of a company or a market there. */
const PEOPLES =
  '(?:guatemaltec|honduren|salvadoren|nicaraguens|costarricens|panamen|colombian|venezolan|ecuatorian|peruan|bolivian|paraguay|uruguay|argentin|brasilen|dominican|cuban|estadounidens|canadiens|espanol|portugues|frances|aleman|italian|chin|japones|corean|extranjer)(?:[oae]s?|es)';
const WHERE = '(?:en|de|del|desde|hacia|para|por|a|al|y|e|o|u|in|from|to|for|and|or|,)\\s+(?:el\\s+|la\\s+|los\\s+|the\\s+)?';
const PLACE = new RegExp(`(?:^|[\\s,(])${WHERE}(${COUNTRIES.join('|')})(?![\\w-])|(?:^|[\\s,(])en\\s+(chile)(?![\\w-])`, 'g');
const OF_THERE = new RegExp(
  `\\b(?:empresas?|proveedor[ea]?s?|distribuidor[ea]?s?|fabricas?|fabricantes?|compradores?|clientes?|mercados?|companias?|importador[ea]?s?)\\s+(${PEOPLES})(?![\\w])`,
  'g',
);
/** What comes from there, or is a way of cooking, is sold here. */
const GOODS =
  /\b(?:importa\w*|exporta\w*|traen|traid[oa]s?|made|hech[oa]s?|fabricad[oa]s?|productos?|mercancias?|marcas?|comida|embajada|consulado)\s+(?:\w+\s+)?(?:en|de|del|desde|a|al|hacia|para|in|from|to)?\s*(?:la\s+|el\s+)?$/;

/** `name` is empty where only a people was named ("distribuidores colombianos"). */
export interface Abroad {
  name: string;
  from: number;
  to: number;
}

/** Places outside Mexico that a message asks about, in order, each once. */
export const abroadIn = (given: string, flat: string): Abroad[] => {
  const found: Abroad[] = [];
  for (const pattern of [PLACE, OF_THERE]) {
    for (const match of flat.matchAll(new RegExp(pattern.source, 'dg'))) {
      const range = match.indices?.slice(1).find((one): one is [number, number] => one !== undefined);
      if (!range || GOODS.test(flat.slice(0, range[0])) || found.some((one) => range[0] < one.to && range[1] > one.from)) continue;
      found.push({ name: pattern === OF_THERE ? '' : given.slice(range[0], range[1]), from: range[0], to: range[1] });
    }
  }
  // "Guatemala, Honduras": the comma of the first is the word before the second.
  const more = new RegExp(`^(?:\\s*,\\s*|\\s+(?:y|e|o|and|or)\\s+)(?:en\\s+|de\\s+)?(${COUNTRIES.join('|')})(?![\\w-])`, 'd');
  for (const one of [...found]) {
    for (let at = one.to; ;) {
      const next = more.exec(flat.slice(at))?.indices?.[1];
      if (!next) break;
      const range: [number, number] = [at + next[0], at + next[1]];
      if (!found.some((other) => range[0] < other.to && range[1] > other.from))
        found.push({ name: given.slice(...range), from: range[0], to: range[1] });
      at = range[1];
    }
  }
  return found
    .sort((a, b) => a.from - b.from)
    .filter((one, i, all) => all.findIndex((other) => other.name.toLowerCase() === one.name.toLowerCase()) === i);
};
