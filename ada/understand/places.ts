import { plain } from './text.js';

/** The states with the other names they go by. "México" alone is the country. */
const STATES: ReadonlyArray<readonly [string, ...string[]]> = [
  ['Aguascalientes', 'ags'],
  ['Baja California Sur', 'bcs'],
  ['Baja California', 'bc'],
  ['Campeche'],
  ['Chiapas'],
  ['Chihuahua'],
  ['Ciudad de México', 'cdmx', 'distrito federal', 'df', 'mexico city'],
  ['Coahuila'],
  ['Colima'],
  ['Durango'],
  ['Estado de México', 'edomex', 'edo de mexico', 'edo mex', 'edo. de mexico'],
  ['Guanajuato', 'gto'],
  ['Guerrero'],
  ['Hidalgo'],
  ['Jalisco', 'jal'],
  ['Michoacán'],
  ['Morelos'],
  ['Nayarit'],
  ['Nuevo León', 'nl'],
  ['Oaxaca'],
  ['Puebla'],
  ['Querétaro', 'qro'],
  ['Quintana Roo', 'qroo', 'q. roo', 'q roo'],
  ['San Luis Potosí', 'slp'],
  ['Sinaloa'],
  ['Sonora'],
  ['Tabasco'],
  ['Tamaulipas', 'tamps'],
  ['Tlaxcala'],
  ['Veracruz'],
  ['Yucatán'],
  ['Zacatecas'],
];
/** Regions that the sources know by name. */
const REGIONS: ReadonlyArray<readonly [string, ...string[]]> = [
  ['Bajío', 'bajio'],
  ['norte', 'zona norte', 'region norte', 'estados del norte', 'el norte del pais'],
  ['occidente'],
  ['sureste'],
];
/** A city is no filter: its state is. */
const CITIES: Record<string, string> = {
  monterrey: 'Nuevo León',
  'san pedro garza garcia': 'Nuevo León',
  apodaca: 'Nuevo León',
  guadalajara: 'Jalisco',
  gdl: 'Jalisco',
  zapopan: 'Jalisco',
  tlaquepaque: 'Jalisco',
  leon: 'Guanajuato',
  irapuato: 'Guanajuato',
  celaya: 'Guanajuato',
  silao: 'Guanajuato',
  tijuana: 'Baja California',
  mexicali: 'Baja California',
  ensenada: 'Baja California',
  hermosillo: 'Sonora',
  'ciudad obregon': 'Sonora',
  culiacan: 'Sinaloa',
  mazatlan: 'Sinaloa',
  merida: 'Yucatán',
  cancun: 'Quintana Roo',
  toluca: 'Estado de México',
  naucalpan: 'Estado de México',
  tlalnepantla: 'Estado de México',
  ecatepec: 'Estado de México',
  saltillo: 'Coahuila',
  torreon: 'Coahuila',
  'ciudad juarez': 'Chihuahua',
  juarez: 'Chihuahua',
  reynosa: 'Tamaulipas',
  matamoros: 'Tamaulipas',
  tampico: 'Tamaulipas',
  morelia: 'Michoacán',
  uruapan: 'Michoacán',
  cuernavaca: 'Morelos',
  pachuca: 'Hidalgo',
  villahermosa: 'Tabasco',
  xalapa: 'Veracruz',
  acapulco: 'Guerrero',
  'tuxtla gutierrez': 'Chiapas',
  'la paz': 'Baja California Sur',
  'los cabos': 'Baja California Sur',
  coatzacoalcos: 'Veracruz',
  minatitlan: 'Veracruz',
  orizaba: 'Veracruz',
  'poza rica': 'Veracruz',
  'ramos arizpe': 'Coahuila',
  monclova: 'Coahuila',
  'piedras negras': 'Coahuila',
  'nuevo laredo': 'Tamaulipas',
  'ciudad victoria': 'Tamaulipas',
  nogales: 'Sonora',
  guaymas: 'Sonora',
  'los mochis': 'Sinaloa',
  'gomez palacio': 'Durango',
  delicias: 'Chihuahua',
  salamanca: 'Guanajuato',
  'san miguel de allende': 'Guanajuato',
  'san juan del rio': 'Querétaro',
  'puerto vallarta': 'Jalisco',
  'lagos de moreno': 'Jalisco',
  tepic: 'Nayarit',
  manzanillo: 'Colima',
  'playa del carmen': 'Quintana Roo',
  chetumal: 'Quintana Roo',
  'ciudad del carmen': 'Campeche',
  tapachula: 'Chiapas',
  tehuacan: 'Puebla',
  cuautla: 'Morelos',
  chilpancingo: 'Guerrero',
  cuautitlan: 'Estado de México',
  'lazaro cardenas': 'Michoacán',
  zamora: 'Michoacán',
  fresnillo: 'Zacatecas',
};
/** Said instead of a state: the whole country, on purpose. */
export const EVERYWHERE = 'todo México';
const COUNTRY =
  /\b(?:todo (?:mexico|el pais)|(?:a )?nivel nacional|toda la republica|republica mexicana|nacional(?:es)?|(?:en|de|por) (?:todo )?mexico(?! (?:df|city))|(?:en el|del|de todo el|por el|en todo el) pais|todos los estados|sin estado|cualquier estado|nationwide|(?:all over|all of|in|across|throughout) mexico(?! city))\b/;

export interface Place {
  name: string;
  from: number;
  to: number;
  city: string | null;
}

const NAMES = [
  ...STATES.flatMap(([name, ...others]) => [name, ...others].map((said) => ({ name, said: plain(said), city: null as string | null }))),
  ...REGIONS.flatMap(([name, ...others]) => [name, ...others].map((said) => ({ name, said: plain(said), city: null as string | null }))),
  ...Object.entries(CITIES).map(([said, name]) => ({ name, said, city: said })),
]
  .sort((a, b) => b.said.length - a.said.length)
  .map((one) => ({ ...one, pattern: new RegExp(`(?<![\\w])${one.said.replaceAll('.', '\\.').replaceAll(' ', '\\s+')}(?![\\w])`, 'g') }));
/** Words of the names that are long enough to be told by ear and are no everyday words. */
const EVERYDAY = new Set(
  'ciudad distrito federal estado sureste occidente region estados victoria delicias carmen playa piedras negras puerto lagos allende pedro miguel garza norte lazaro cardenas gomez'.split(
    ' ',
  ),
);
export const PLACE_WORDS: ReadonlySet<string> = new Set(
  NAMES.flatMap((one) => one.said.split(/[\s.]+/)).filter((word) => word.length > 4 && !EVERYDAY.has(word)),
);
/** Names that are also something else: only after a word that makes them a place. */
const DOUBTFUL = new Set([
  'norte',
  'leon',
  'la paz',
  'juarez',
  'merida',
  'occidente',
  'guerrero',
  'hidalgo',
  'morelos',
  'colima',
  'puebla',
  'nl',
  'bc',
  'df',
  'matamoros',
  'jal',
]);
const ALWAYS = new Set(['colima', 'puebla']);
const BEFORE =
  /(?:^|[\s,(¿])(?:en|de|del|por|para|a|hacia|desde|y|o|u|vs\.?|contra|los? de|las? de|in|from|of|and|for|estado de|el)\s+(?:el\s+(?:estado\s+de\s+)?|la\s+|los\s+)?$/;

/** Every place that a message names, in its order; longer names first where they overlap. */
export const placesIn = (flat: string): Place[] => {
  const found: Place[] = [];
  for (const { name, said, city, pattern } of NAMES) {
    for (const match of flat.matchAll(pattern)) {
      const from = match.index;
      const to = from + match[0].length;
      if (found.some((one) => from < one.to && to > one.from)) continue;
      const before = flat.slice(0, from);
      if (DOUBTFUL.has(said) && !ALWAYS.has(said) && !BEFORE.test(before) && before.trim() !== '' && !/[,(]\s*$/.test(before)) continue;
      // "Nuevo León" is its own name; "nl" inside a word is not.
      if (said === 'leon' && /nuevo\s+$/.test(before)) continue;
      // "del Norte" inside a company's name.
      if (
        said === 'norte' &&
        /\bdel\s+$/.test(before) &&
        !/(?:estados|zona|region|lado|proveedores|empresas|los|las)\s+del\s+$/.test(before)
      )
        continue;
      found.push({ name, from, to, city });
    }
  }
  return found.sort((a, b) => a.from - b.from);
};
/** Where a message says that it means the whole country; null when it does not. */
export const everywhereIn = (flat: string): { from: number; to: number } | null => {
  const found = COUNTRY.exec(flat);
  return found ? { from: found.index, to: found.index + found[0].length } : null;
};
/** The states where most of the market is; compared when nobody says which. */
export const MAIN_STATES = [
  'Jalisco',
  'Nuevo León',
  'Ciudad de México',
  'Estado de México',
  'Guanajuato',
  'Querétaro',
  'Puebla',
  'Veracruz',
] as const;
