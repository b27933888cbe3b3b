import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import en from '../../../contracts/catalog/ada.en.json' with { type: 'json' };
import es from '../../../contracts/catalog/ada.es-MX.json' with { type: 'json' };
import { ROOT } from '../../../stack/paths.js';

const TEXTS: Record<string, string> = es;
type Element = { type: number; value?: string; options?: Record<string, { value: Element[] }> };
const names = (message: string): string[] => {
  const found = new Set<string>();
  const walk = (elements: Element[]): void => {
    for (const e of elements) {
      if (e.type !== 0 && e.type !== 7 && e.value) found.add(e.value);
      for (const option of Object.values(e.options ?? {})) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(message, 'es-MX', undefined, { ignoreTag: true }).getAst());
  return [...found].sort();
};

/** Every `say(code, { … })` of the model, with the names it gives. */
const said = (): Array<{ file: string; codes: string[]; given: string[] }> => {
  const folder = join(ROOT, 'ada/deterministic');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const found: Array<{ file: string; codes: string[]; given: string[] }> = [];
      const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true);
      const literals = (node: ts.Node): string[] =>
        ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
          ? [node.text]
          : ts.isConditionalExpression(node)
            ? [...literals(node.whenTrue), ...literals(node.whenFalse)]
            : ts.isTemplateExpression(node)
              ? Object.keys(TEXTS)
                  .map((key) => key.slice(4))
                  .filter((key) => key.startsWith(node.head.text) && !key.slice(node.head.text.length).includes('.'))
              : [];
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && node.expression.getText(source).endsWith('say') && node.arguments[0]) {
          const object = node.arguments[1];
          found.push({
            file,
            codes: literals(node.arguments[0]),
            given: object && ts.isObjectLiteralExpression(object) ? object.properties.map((one) => one.name?.getText(source) ?? '') : [],
          });
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
};

describe('what the model without a key says', () => {
  it('has a text for every code, with the names that are given for it', () => {
    const wrong = said().flatMap(({ file, codes, given }) =>
      codes.flatMap((code) => {
        const text = TEXTS[`ada.${code}`];
        if (text === undefined) return [`${file}: ${code} has no text`];
        const missing = names(text).filter((name) => !given.includes(name));
        return missing.length > 0 ? [`${file}: ${code} needs ${missing.join(', ')}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
    expect(said().length).toBeGreaterThan(200);
  });
  it('is the same in both languages: codes and names', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    expect(
      Object.entries(es)
        .filter(([code, text]) => names(text).join() !== names(en[code as keyof typeof en]).join())
        .map(([code]) => code),
    ).toEqual([]);
  });
});
