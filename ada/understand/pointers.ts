/** Ways of pointing at what stands on the board instead of naming it. */
const CHOSE =
  '(?:marque|marqu[eé]|marco|marcamos|tengo marcad[oa]s?|seleccione|seleccionamos|tengo seleccionad[oa]s?|elegi|elegimos|escogi|escogimos|tengo elegid[oa]s?|palomee|palomeamos|senale|puse|aparte|(?:te )?(?:indique|dije)|picked|selected|chose|marked|checked|ticked)';
const CHOSEN = '(?:marcad|seleccionad|elegid|escogid|palomead|senalad)[oa]s?';
const NOUN =
  '(?:empresas?|cuentas?|companias?|proveedor[ea]?s?|prospectos?|clientes?|filas?|contactos?|personas?|ones?|rows?|companies|accounts?|company)';
const SELECTION = new RegExp(
  `\\b(?:(?:el|la|los|las|lo|de|del|un|una|the|those|that)\\s+)?(?:${NOUN}\\s+)?(?:que|which|that|i|we)\\s+(?:ya\\s+|i\\s+|we\\s+|yo\\s+|have\\s+|i've\\s+)?${CHOSE}\\b` +
    `|\\b(?:(?:el|la|los|las|mis?|the|my)\\s+)?(?:\\d+\\s+)?${NOUN}\\s+${CHOSEN}\\b|\\b(?:el|la|los|las)\\s+${CHOSEN}\\b|\\b(?:mi|la|esta|esa|my|the)\\s+(?:seleccion|selection)\\b(?!\\s+(?:mexican|nacional|argentin|brasil|de\\b))|\\b(?:the\\s+)?(?:selected|marked|chosen)\\s+(?:ones?|companies|accounts?|rows?|company)\\b|\\bones (?:i|we) (?:picked|selected|chose|marked|checked|ticked)\\b`,
);

/** Where a message means what was chosen on the board ("la que marqué", "mi selección"); null when it does not. */
export const selectionIn = (flat: string): { from: number; to: number } | null => {
  const found = SELECTION.exec(flat);
  return found ? { from: found.index, to: found.index + found[0].length } : null;
};
