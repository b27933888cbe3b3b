/**
 * What the demo promises about the first packaging companies of Jalisco, by their place (0-based) in the answer of
 * `company_search { activity: 'empaque', state: 'Jalisco' }`. The rest of the sample is drawn around these.
 */
export const PINNED = {
  /** Companies where nobody works in purchasing. */
  withoutPurchasing: [9, 23, 38] as readonly number[],
  /** On the sample suppression list: one by RFC inside the first 50, one by domain after them. */
  suppressedByRfc: { place: 17, name: 'Cajas Sierra Ocre del Lago, S.A. de C.V.', rfcBody: 'CSO310614K7' },
  suppressedByDomain: { place: 63, domain: 'envases-agua-mansa-del-valle.example', name: 'Envases Agua Mansa del Valle, S.A. de C.V.' },
} as const;
