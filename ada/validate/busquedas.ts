import { MAX_SEARCHES } from '../belt.js';
import { defect, type Rule } from './rule.js';

export const busquedas: Rule = (_, { searches }) =>
  searches > MAX_SEARCHES ? [defect('busquedas', 'busquedas.many', String(searches))] : [];
