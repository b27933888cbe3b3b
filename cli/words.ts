import { hasText, text, type Language } from '../contracts/catalog/index.js';
import { Words as Speech } from '../view/words.js';
import { asTyped } from './typed.js';

export { clean } from '../view/words.js';

/** The words of the command: every text, in one language. */
export class Words extends Speech {
  constructor(language: Language, zone?: string) {
    super(language, { has: hasText, text: (code, params) => asTyped(text(language, code, params)) }, zone);
  }
}
