import { fold, stems, stemSet } from './text.js';

/** An activity of the sample: its code, its label and the words that find it. */
interface Activity {
  code: string;
  label: string;
  words: Set<string>;
}
const activity = (code: string, label: string, words: string): Activity => ({ code, label, words: stemSet(`${label} ${words}`) });

export const ACTIVITIES: readonly Activity[] = [
  activity(
    'empaque',
    'Empaque y embalaje',
    'empacadora empacado envase envasado carton corrugado cartonera caja cajas bolsa tarima etiqueta packaging emplaye',
  ),
  activity(
    'alimentos',
    'Alimentos y bebidas',
    'alimento comida abarrote viveres bebida lacteo carnico panificadora despensa insumos alimenticio',
  ),
  activity('transporte', 'Transporte y logística', 'transportista flete autotransporte carga mensajeria paqueteria logistico almacenaje'),
  activity('construccion', 'Construcción y obra', 'constructora obra edificacion urbanizacion pavimentacion contratista inmueble'),
  activity('software', 'Software y servicios de TI', 'sistemas informatica computo tecnologia licencia desarrollo nube ti'),
  activity('acero', 'Acero y metalmecánica', 'metal metalica herreria fundicion maquinado lamina siderurgia estructura troquelado'),
  activity('textil', 'Uniformes y textil', 'uniforme ropa confeccion tela vestuario calzado bordado prenda'),
  activity('solar', 'Energía solar', 'fotovoltaico panel paneles renovable energia energetico'),
  activity('quimicos', 'Químicos industriales', 'quimico quimica reactivo solvente pintura recubrimiento adhesivo'),
  activity('plasticos', 'Plásticos e inyección', 'plastico inyeccion polimero moldeo resina pet'),
  activity('muebles', 'Muebles y carpintería', 'mueble mobiliario carpinteria madera silla escritorio'),
  activity('limpieza', 'Limpieza y sanitización', 'limpiar jabon detergente higiene sanitizacion intendencia'),
  activity('seguridad', 'Seguridad privada', 'vigilancia guardia alarma camara videovigilancia custodia'),
  activity('equipo_medico', 'Equipo e insumos médicos', 'medico hospital salud curacion clinico laboratorio material'),
  activity('papeleria', 'Papelería e imprenta', 'papel imprenta impreso oficina toner impresion'),
  activity('autopartes', 'Autopartes', 'automotriz refaccion arnes automovil vehiculo llanta'),
  activity('electrico', 'Material eléctrico', 'electricidad cable iluminacion luminaria transformador tablero'),
  activity('agro', 'Agroindustria', 'agricola semilla fertilizante riego invernadero campo ganadero'),
];
const byCode = new Map(ACTIVITIES.map((a) => [a.code, a]));
export const activityLabel = (code: string): string => byCode.get(code)?.label ?? code;

/** Codes of the activities that share the most words with the text; empty when none does. */
export const matchActivities = (text: string): string[] => {
  const wanted = new Set(stems(text));
  let best = 0;
  let found: string[] = [];
  for (const a of ACTIVITIES) {
    let hits = 0;
    for (const w of wanted) if (a.words.has(w)) hits++;
    if (hits > best) [best, found] = [hits, [a.code]];
    else if (hits === best && hits > 0) found.push(a.code);
  }
  return found;
};

/** The 32 states with how people also write them. */
const STATE_NAMES: readonly (readonly [string, string])[] = [
  ['Aguascalientes', 'ags'],
  ['Baja California', 'bc'],
  ['Baja California Sur', 'bcs'],
  ['Campeche', 'camp'],
  ['Chiapas', 'chis'],
  ['Chihuahua', 'chih'],
  ['Ciudad de México', 'cdmx|df|distrito federal|mexico df'],
  ['Coahuila', 'coah|coahuila de zaragoza'],
  ['Colima', 'col'],
  ['Durango', 'dgo'],
  ['Estado de México', 'edomex|mexico|edo mex|edo de mexico'],
  ['Guanajuato', 'gto'],
  ['Guerrero', 'gro'],
  ['Hidalgo', 'hgo'],
  ['Jalisco', 'jal'],
  ['Michoacán', 'mich|michoacan de ocampo'],
  ['Morelos', 'mor'],
  ['Nayarit', 'nay'],
  ['Nuevo León', 'nl|n l'],
  ['Oaxaca', 'oax'],
  ['Puebla', 'pue'],
  ['Querétaro', 'qro'],
  ['Quintana Roo', 'qroo|q roo'],
  ['San Luis Potosí', 'slp'],
  ['Sinaloa', 'sin'],
  ['Sonora', 'son'],
  ['Tabasco', 'tab'],
  ['Tamaulipas', 'tamps'],
  ['Tlaxcala', 'tlax'],
  ['Veracruz', 'ver|veracruz de ignacio de la llave'],
  ['Yucatán', 'yuc'],
  ['Zacatecas', 'zac'],
];
export const STATES = STATE_NAMES.map(([name]) => name);
const REGIONS: Record<string, string[]> = {
  bajio: ['Guanajuato', 'Querétaro', 'Aguascalientes', 'San Luis Potosí'],
  norte: ['Baja California', 'Sonora', 'Chihuahua', 'Coahuila', 'Nuevo León', 'Tamaulipas', 'Durango'],
  occidente: ['Jalisco', 'Colima', 'Nayarit', 'Michoacán'],
  sureste: ['Veracruz', 'Tabasco', 'Campeche', 'Yucatán', 'Quintana Roo', 'Chiapas', 'Oaxaca'],
};
const stateByText = new Map<string, string[]>(Object.entries(REGIONS));
for (const [name, also] of STATE_NAMES) for (const text of [fold(name), ...also.split('|')]) stateByText.set(text, [name]);

/** States meant by a text: one, or those of a region ("Bajío", "norte", "nacional"); empty when nothing is known by it. */
export const matchStates = (text: string): string[] => {
  const key = fold(text).replace(/^(estados? del?|region del?|el|zona) /, '');
  if (['nacional', 'mexico nacional', 'todo el pais', 'todo mexico', 'republica mexicana'].includes(key)) return [...STATES];
  return stateByText.get(fold(text)) ?? stateByText.get(key) ?? [];
};

const SIZES: Record<string, string> = {
  micro: 'micro',
  microempresa: 'micro',
  chica: 'pequena',
  pequena: 'pequena',
  pyme: 'pequena',
  mediana: 'mediana',
  grande: 'grande',
};
/** The size code of a text, or null when there is none. */
export const matchSize = (text: string): string | null => SIZES[fold(text).replace(/s$/, '')] ?? null;

/** Areas of a company and the words by which a role belongs to one. */
const AREAS: readonly (readonly [string, Set<string>])[] = [
  [
    'compras',
    stemSet(
      'compra compras comprador compradora abastecimiento abastecimientos adquisicion adquisiciones procurement purchasing sourcing procura suministro suministros supply buyer',
    ),
  ],
  ['direccion', stemSet('direccion general ceo dueno propietario presidente fundador socio')],
  ['operaciones', stemSet('operacion operaciones planta produccion manufactura coo')],
  ['logistica', stemSet('logistica almacen distribucion embarques trafico inventario')],
  ['finanzas', stemSet('finanzas financiero contabilidad contador tesoreria cfo contralor')],
  ['ventas', stemSet('venta ventas comercial vendedor cuentas sales')],
  ['calidad', stemSet('calidad quality inocuidad')],
  ['sistemas', stemSet('sistemas informatica tecnologia ti cio cto')],
  ['mantenimiento', stemSet('mantenimiento maintenance')],
  ['recursos_humanos', stemSet('humanos rh recursos talento nomina capital')],
  ['mercadotecnia', stemSet('mercadotecnia marketing publicidad marca')],
];

/** The area a role belongs to ("jefa de abastecimiento" → `compras`), or null when no word says it. */
export const matchArea = (role: string): string | null => {
  const wanted = stems(role);
  let best: string | null = null;
  let most = 0;
  for (const [area, words] of AREAS) {
    const hits = wanted.filter((w) => words.has(w)).length;
    if (hits > most) [most, best] = [hits, area];
  }
  return best;
};
