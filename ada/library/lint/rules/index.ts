import { type LibraryRule, type Rule } from '../rule.js';
import { contract } from './contract.js';
import { cost } from './cost.js';
import { description } from './description.js';
import { errors } from './errors.js';
import { example } from './example.js';
import { indexSize } from './index-size.js';
import { limits } from './limits.js';
import { next } from './next.js';
import { paid } from './paid.js';
import { planB } from './plan-b.js';
import { references } from './references.js';
import { scan, scanShared } from './scan.js';
import { template } from './template.js';
import { toolsNamed } from './tools-named.js';
import { tools } from './tools.js';
import { triggers } from './triggers.js';
import { trust } from './trust.js';

export const RULES: readonly Rule[] = [
  contract,
  description,
  template,
  planB,
  example,
  errors,
  tools,
  toolsNamed,
  next,
  paid,
  cost,
  triggers,
  references,
  trust,
  scan,
];
export const LIBRARY_RULES: readonly LibraryRule[] = [indexSize, limits, scanShared];
/** Every code that a rule may report, once. */
export const LINT_CODES: readonly string[] = [...new Set([...RULES, ...LIBRARY_RULES].flatMap((r) => r.codes))].sort();
