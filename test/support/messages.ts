import { IntlMessageFormat } from 'intl-messageformat';

type Element = { type: number; value?: string; options?: Record<string, { value: Element[] }> };
/** Names of the parameters of a message, and its plurals. */
export const inside = (message: string, language: string): { names: Set<string>; plurals: Array<Record<string, unknown>> } => {
  const names = new Set<string>();
  const plurals: Array<Record<string, unknown>> = [];
  const walk = (elements: Element[]): void => {
    for (const e of elements) {
      if (e.type !== 0 && e.type !== 7 && e.value) names.add(e.value);
      if (e.type === 6 && e.options) plurals.push(e.options);
      for (const option of Object.values(e.options ?? {})) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst());
  return { names, plurals };
};
