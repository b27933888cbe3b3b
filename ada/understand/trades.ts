import { stem, stems } from './text.js';

/** Trades as sources file them, and the words that people say for each. The first is what is asked for. */
const TRADES: ReadonlyArray<readonly [string, string]> = [
  ['empaque', 'empaque embalaje empacadora envase carton corrugado caja bolsa tarima etiqueta packaging emplaye cartonera'],
  ['alimentos', 'alimento comida abarrote vivere bebida lacteo carnico panificadora despensa alimenticio food restaurante botana'],
  [
    'transporte',
    'transporte transportista flete autotransporte carga mensajeria paqueteria logistica almacenaje trucking freight camion mudanza',
  ],
  [
    'construcción',
    'construccion constructora obra edificacion urbanizacion pavimentacion contratista inmueble remodelacion impermeabilizacion construction bomba hidraulica plomeria cemento concreto elevador',
  ],
  ['software', 'software sistema informatica computo tecnologia licencia nube ti desarrollo computadora laptop erp crm sap odoo'],
  [
    'acero',
    'acero metal metalica herreria fundicion maquinado lamina siderurgia estructura troquelado metalmecanica tornilleria steel valvula tuberia',
  ],
  ['textil', 'uniforme textil ropa confeccion tela vestuario calzado bordado prenda uniforms bata mandil chaleco bota'],
  ['energía solar', 'solar fotovoltaico panel renovable energia'],
  ['químicos', 'quimico reactivo solvente pintura recubrimiento adhesivo chemical cloro fumigacion'],
  ['plásticos', 'plastico inyeccion polimero moldeo resina pet plastic pvc'],
  ['muebles', 'mueble mobiliario carpinteria madera silla escritorio pupitre furniture'],
  ['limpieza', 'limpieza jabon detergente higiene sanitizacion intendencia sanitizante cleaning aseo'],
  ['seguridad privada', 'seguridad vigilancia guardia alarma camara videovigilancia custodia'],
  ['equipo médico', 'medico hospitalario salud curacion clinico laboratorio hospital clinica medicamento jeringa gasa cubrebocas medical'],
  ['papelería', 'papeleria papel imprenta impreso toner impresion util stationery'],
  ['autopartes', 'autoparte automotriz refaccion arnes automovil vehiculo llanta neumatico'],
  ['material eléctrico', 'electrico electricidad cable iluminacion luminaria transformador tablero lampara foco electrical'],
  ['agroindustria', 'agro agroindustria agricola semilla fertilizante riego invernadero campo ganadero'],
];
/** Every word of the table that is long enough to be told by ear. */
export const TRADE_WORDS: ReadonlySet<string> = new Set(TRADES.flatMap(([, said]) => said.split(' ').filter((word) => word.length > 4)));
const BY_STEM = new Map<string, string>();
for (const [trade, said] of TRADES) for (const word of said.split(' ')) if (!BY_STEM.has(stem(word))) BY_STEM.set(stem(word), trade);
/** English names of goods, as sources write them. */
const ENGLISH: Record<string, string> = {
  uniforms: 'uniformes',
  uniform: 'uniformes',
  packaging: 'empaque',
  food: 'alimentos',
  plastics: 'plásticos',
  plastic: 'plásticos',
  furniture: 'muebles',
  cleaning: 'limpieza',
  steel: 'acero',
  stationery: 'papelería',
  paper: 'papelería',
  medical: 'equipo médico',
  security: 'seguridad',
  textiles: 'textil',
  software: 'software',
  solar: 'energía solar',
  chemicals: 'químicos',
  tires: 'llantas',
  chlorine: 'cloro',
  laptops: 'equipo de cómputo',
  computers: 'equipo de cómputo',
  transport: 'transporte',
  trucking: 'transporte',
  freight: 'transporte',
  construction: 'construcción',
  logistics: 'logística',
  'auto parts': 'autopartes',
  'injection molding': 'inyección de plástico',
  electrical: 'material eléctrico',
  'school furniture': 'mobiliario escolar',
  'office furniture': 'mobiliario de oficina',
  'hydraulic pumps': 'bombas hidráulicas',
  medicines: 'medicamentos',
  medicine: 'medicamentos',
  drugs: 'medicamentos',
  syringes: 'jeringas',
  'medical supplies': 'material de curación',
  'medical equipment': 'equipo médico',
  'sports uniforms': 'uniformes deportivos',
  'school uniforms': 'uniformes escolares',
  shoes: 'calzado',
  footwear: 'calzado',
  boots: 'botas',
  'office supplies': 'papelería',
  printing: 'imprenta',
  vehicles: 'vehículos',
  pumps: 'bombas',
  valves: 'válvulas',
  paint: 'pintura',
  lighting: 'luminarias',
  cables: 'cables',
  surveillance: 'vigilancia',
  'private security': 'seguridad privada',
  fertilizer: 'fertilizante',
  fertilizers: 'fertilizantes',
  seeds: 'semillas',
  agriculture: 'agroindustria',
  cement: 'cemento',
  machining: 'maquinado',
  'machine shops': 'talleres de maquinado',
  foundries: 'fundición',
  fumigation: 'fumigación',
  groceries: 'abarrotes',
  beverages: 'bebidas',
};
/** English names of goods: words of their own, and no slip of a Spanish one. */
export const ENGLISH_WORDS: ReadonlySet<string> = new Set(Object.keys(ENGLISH).flatMap((said) => said.split(' ')));
export const fromEnglish = (said: string): string =>
  ENGLISH[said.toLowerCase().trim()] ??
  ENGLISH[
    said
      .toLowerCase()
      .trim()
      .replace(/ (?:suppliers?|companies|firms|services?)$/, '')
  ] ??
  said;

/** Who makes or sells it: refaccionaria → refaccion, cementera → cement. */
const MAKER = /(?:ari|eri|er|ist|ador|edor|or)$/;
const ofStem = (word: string): string | undefined =>
  BY_STEM.get(word) ?? (word.length > 6 && MAKER.test(word) ? BY_STEM.get(word.replace(MAKER, '')) : undefined);

/** The trade a text most likely belongs to, by its words; null when none says it. */
export const tradeOf = (said: string): string | null => {
  const votes = new Map<string, number>();
  for (const word of stems(said)) {
    const trade = ofStem(word);
    if (trade) votes.set(trade, (votes.get(trade) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
};
/** A wider word to try when the given one finds nothing: its trade, unless that is what was said. */
export const widerThan = (said: string): string | null => {
  const trade = tradeOf(said);
  return trade !== null && stems(trade).join(' ') !== stems(said).join(' ') ? trade : null;
};
/** Where in the text a known trade is named, when no other word tells it. */
export const tradeWordIn = (text: string): { from: number; to: number } | null => {
  for (const match of text.matchAll(/[\p{L}]+/gu))
    if (match[0].length > 2 && BY_STEM.has(stem(match[0])) && !NOT_ALONE.has(stem(match[0])))
      return { from: match.index, to: match.index + match[0].length };
  return null;
};
/** Words that name a trade only beside another ("material de campo", "carga de trabajo"). */
const NOT_ALONE = new Set(
  [
    'campo',
    'carga',
    'obra',
    'sistema',
    'util',
    'ti',
    'panel',
    'hospital',
    'salud',
    'caja',
    'tecnologia',
    'desarrollo',
    'estructura',
    'energia',
    'guardia',
    'licencia',
    'metal',
    'seguridad',
    'comida',
    'crm',
    'erp',
  ].map(stem),
);
