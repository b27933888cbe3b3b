/** The parts of the gallery. */
export const GROUPS = [
  'campana',
  'decision',
  'chat',
  'resultados',
  'campanas',
  'faltantes',
  'bandeja',
  'secuencia',
  'operacion',
  'problemas',
  'configuracion',
  'dispositivo',
] as const;
export type Group = (typeof GROUPS)[number];
