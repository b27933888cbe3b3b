const list = (text: string): string[] => text.split('|');

export const FIRST_NAMES = list(
  'Adriana|Alejandra|Alma|Ana Laura|Araceli|Beatriz|Brenda|Carolina|Cecilia|Claudia|Daniela|Elena|Elisa|Esmeralda|Fabiola|Gabriela|Graciela|Irma|Jazmín|Julieta|Karla|Leticia|Lorena|Lucía|Mariana|Marisol|Mónica|Nadia|Norma|Patricia|Paulina|Rocío|Sandra|Silvia|Verónica|Ximena|Yolanda|' +
    'Abel|Adolfo|Adrián|Alberto|Alfonso|Andrés|Armando|Arturo|Benjamín|Bruno|César|Daniel|Diego|Eduardo|Emilio|Enrique|Ernesto|Esteban|Fernando|Francisco|Gerardo|Gilberto|Guillermo|Héctor|Hugo|Ignacio|Iván|Jaime|Javier|Joaquín|Jorge|Julio|Leonardo|Manuel|Marco|Mauricio|Mateo|Octavio|Óscar|Pablo|Rafael|Ramiro|Raúl|Ricardo|Roberto|Rodrigo|Rubén|Salvador|Saúl|Sergio|Tomás|Víctor',
);
export const SURNAMES = list(
  'Aguilar|Alcántara|Altamirano|Anaya|Arriaga|Ávila|Barajas|Becerra|Benítez|Bravo|Calderón|Camacho|Cárdenas|Carrillo|Castañeda|Cervantes|Cisneros|Córdova|Cortés|Dávalos|Delgado|Domínguez|Escobedo|Espinosa|Estrada|Fajardo|Figueroa|Fuentes|Galindo|Gallardo|Gálvez|Garza|Godínez|Guerrero|Gutiérrez|Haro|Hinojosa|Ibarra|Islas|Jáuregui|Juárez|Lara|Leal|Ledesma|Lozano|Macías|Maldonado|Medina|Mejía|Meza|Montes|Mora|Nájera|Navarro|Núñez|Ocampo|Olvera|Orozco|Ortega|Padilla|Palacios|Pineda|Ponce|Quintero|Rangel|Rentería|Ríos|Robles|Rosales|Ruelas|Salazar|Salgado|Sandoval|Serrano|Solís|Suárez|Tapia|Trejo|Urbina|Valdez|Vargas|Velasco|Villegas|Yáñez|Zamora|Zavala|Zúñiga',
);
/** Invented or common words for company names, far from any known brand. */
export const NAME_ROOTS = list(
  'Tonalli|Xochipa|Zentia|Nopaltik|Marel|Cuautepe|Ixtlara|Aztolan|Quetzari|Tlamatic|Obsidel|Ocelara|Yolixpa|Mezquital Alto|Cantera Rosa|Valle Hondo|Tres Lagunas|Cerro Claro|Piedra Lisa|Agua Mansa|Llano Verde|Sierra Ocre|Loma Serena|Punta Ceiba|Arroyo Frío|Bosque Nuevo|Huerta Vieja|Molino Azul|Torre Parda|Camino Real Viejo|' +
    'Arvenza|Belmira|Calvaria|Dorantia|Elvanza|Ferrova|Galdeña|Harmosa|Indavia|Jacarel|Kalindra|Lumerio|Marvanta|Novalia|Orvelia|Palmara|Quiroña|Rovelda|Sarvento|Tavira|Ulmera|Valdora|Wirikal|Xalvera|Yermosa|Zarvanta|Alcorza|Brisanta|Corvina|Duravel|Esmeril|Fontalba|Granada Chica|Hortensia|Ibiscal|Jaralito|Laurelia|Miravela|Naranjal|Olmedal|Pinarejo|Romeral|Salvia|Tomillar|Uvalde Chico|Vereda|Yucateca Nueva|Zafira',
);
export const NAME_TAILS = list(
  'del Centro|del Valle|del Norte|del Sur|del Pacífico|del Golfo|de la Sierra|del Altiplano|de Oriente|del Lago|y Asociados|Hermanos|Integral|Especializada|Continental|Unida|Moderna|Regional|Nacional|Express|Total|Premier|Uno|Dos Mil|Plus|Alfa|Delta|Sigma|Omega|Nova|Prima|Magna',
);
export const LEGAL_FORMS = list('S.A. de C.V.|S.A. de C.V.|S.A. de C.V.|S. de R.L. de C.V.|S.A.P.I. de C.V.|S. de R.L.');

/** For each activity: how its companies call themselves, and what public bodies buy from them. */
export const TRADES: Record<string, { nouns: string[]; products: string[] }> = {
  empaque: {
    nouns: list('Empaques|Cartones|Envases|Corrugados|Embalajes|Cajas|Empacadora'),
    products: list('Cajas de cartón corrugado|Bolsas de polietileno|Envases de plástico|Etiquetas autoadheribles|Tarimas y embalaje'),
  },
  alimentos: {
    nouns: list('Alimentos|Abarrotes|Comestibles|Lácteos|Cárnicos|Víveres'),
    products: list('Víveres y abarrotes|Carne y embutidos|Leche y derivados|Frutas y verduras|Servicio de comedor|Agua purificada'),
  },
  transporte: {
    nouns: list('Transportes|Fletes|Logística|Autotransportes|Cargas'),
    products: list('Flete de carga|Paquetería y mensajería|Transporte de personal|Almacenaje y distribución'),
  },
  construccion: {
    nouns: list('Constructora|Edificaciones|Obras|Urbanizadora|Pavimentos'),
    products: list('Pavimentación|Mantenimiento de inmuebles|Construcción de aulas|Obra hidráulica|Impermeabilización'),
  },
  software: {
    nouns: list('Sistemas|Soluciones|Tecnologías|Cómputo|Datos'),
    products: list('Licencias de software|Desarrollo de sistemas|Soporte técnico|Servicios en la nube|Equipo de cómputo'),
  },
  acero: {
    nouns: list('Aceros|Metales|Maquinados|Estructuras|Herrería|Laminados'),
    products: list('Estructura metálica|Lámina galvanizada|Herrajes|Maquinado de piezas|Perfiles de acero'),
  },
  textil: {
    nouns: list('Uniformes|Confecciones|Textiles|Bordados|Telas'),
    products: list('Uniformes administrativos|Ropa de trabajo|Calzado de seguridad|Ropa hospitalaria|Uniformes deportivos'),
  },
  solar: {
    nouns: list('Solar|Energía|Fotovoltaica|Renovables'),
    products: list('Paneles solares|Sistemas fotovoltaicos|Luminarias solares|Calentadores solares'),
  },
  quimicos: {
    nouns: list('Químicos|Reactivos|Solventes|Pinturas'),
    products: list('Reactivos químicos|Pintura y recubrimientos|Cloro y sulfatos|Gases industriales'),
  },
  plasticos: {
    nouns: list('Plásticos|Polímeros|Moldeados|Inyecciones'),
    products: list('Contenedores de plástico|Tubería de PVC|Bolsas para residuos|Piezas inyectadas'),
  },
  muebles: {
    nouns: list('Muebles|Mobiliario|Carpintería|Maderas'),
    products: list('Mobiliario escolar|Mobiliario de oficina|Anaqueles|Sillas y escritorios'),
  },
  limpieza: {
    nouns: list('Limpieza|Higiene|Sanitizantes|Aseo'),
    products: list('Servicio de limpieza|Material de limpieza|Sanitización|Papel higiénico y toallas'),
  },
  seguridad: {
    nouns: list('Seguridad|Vigilancia|Custodias|Alarmas'),
    products: list('Vigilancia de inmuebles|Videovigilancia|Control de accesos|Custodia de valores'),
  },
  equipo_medico: {
    nouns: list('Médica|Equipos|Insumos|Clínicos'),
    products: list('Material de curación|Equipo médico|Insumos de laboratorio|Guantes y cubrebocas|Camas hospitalarias'),
  },
  papeleria: {
    nouns: list('Papelera|Impresos|Imprenta|Papeles'),
    products: list('Papelería y útiles|Impresos oficiales|Tóner y consumibles|Libros y cuadernos'),
  },
  autopartes: {
    nouns: list('Autopartes|Refacciones|Arneses|Rodamientos'),
    products: list('Refacciones automotrices|Llantas|Mantenimiento vehicular|Baterías'),
  },
  electrico: {
    nouns: list('Eléctrica|Cables|Iluminación|Tableros'),
    products: list('Cable y conductores|Luminarias LED|Transformadores|Tableros eléctricos'),
  },
  agro: {
    nouns: list('Agrícola|Semillas|Invernaderos|Riegos|Campo'),
    products: list('Fertilizantes|Semilla mejorada|Sistemas de riego|Alimento para ganado'),
  },
};

/** Public bodies of the sample. The amounts beside them are invented. */
export const BUYERS = list(
  'IMSS|ISSSTE|SEDENA|SEMAR|CFE|PEMEX|SEP|CONAGUA|SICT|IMSS-Bienestar|DIF Nacional|Guardia Nacional|INEGI|Banco del Bienestar|Universidad Pública del Centro|Instituto Politécnico Regional|' +
    'Gobierno de Jalisco|Gobierno de Nuevo León|Gobierno del Estado de México|Gobierno de Guanajuato|Gobierno de Querétaro|Gobierno de Puebla|Gobierno de Sinaloa|Gobierno de Yucatán|Gobierno de la Ciudad de México|Gobierno de Sonora|Gobierno de Chihuahua|Gobierno de Coahuila|Gobierno de Tamaulipas|Municipio de Zapopan|Municipio de Monterrey|Municipio de Mérida|Municipio de León|Municipio de Culiacán|Hospital Regional de Alta Especialidad',
);
export const PROCEDURES = list('Licitación pública|Licitación pública|Invitación a tres|Adjudicación directa|Adjudicación directa');

/** Titles by area and rank. `compras` is the one the demo campaign looks for. */
export const TITLES: Record<string, { area: string; words: string[] }> = {
  compras: { area: 'compras', words: list('Compras|Abastecimiento|Adquisiciones|Compras e Insumos') },
  operaciones: { area: 'operaciones', words: list('Operaciones|Planta|Producción') },
  logistica: { area: 'logistica', words: list('Logística|Almacén|Distribución') },
  finanzas: { area: 'finanzas', words: list('Finanzas|Contabilidad|Tesorería') },
  ventas: { area: 'ventas', words: list('Ventas|Desarrollo Comercial|Cuentas Clave') },
  calidad: { area: 'calidad', words: list('Calidad|Aseguramiento de Calidad') },
  sistemas: { area: 'sistemas', words: list('Sistemas|Tecnologías de la Información') },
  mantenimiento: { area: 'mantenimiento', words: list('Mantenimiento') },
  recursos_humanos: { area: 'recursos_humanos', words: list('Recursos Humanos|Talento') },
  mercadotecnia: { area: 'mercadotecnia', words: list('Mercadotecnia') },
  direccion: { area: 'direccion', words: list('General') },
};
export const RANKS = {
  director: 'Dirección de',
  gerente: 'Gerente de',
  jefe: 'Jefatura de',
  coordinador: 'Coordinación de',
  analista: 'Analista de',
  otro: 'Auxiliar de',
} as const;
export type Seniority = keyof typeof RANKS;
