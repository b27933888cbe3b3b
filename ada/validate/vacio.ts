import { losses } from '../repair.js';
import { defect, type Rule } from './rule.js';

/** A repair keeps what the first attempt had and nobody objected to. */
export const vacio: Rule = ({ output }, { first }) =>
  first ? losses(first, output).map((lost) => defect('vacio', 'vacio.lost', lost, null, 'turn')) : [];
