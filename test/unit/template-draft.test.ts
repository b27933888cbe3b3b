import { describe, expect, it } from 'vitest';
import { templateDraft, type DraftRequest } from '../../activities/model-text.js';

const ASKED: DraftRequest = {
  name: 'Mariana Salazar Delgado',
  title: 'Gerente de Abastecimiento',
  company: 'Empaques Indavia Prima, S.A. de C.V.',
  activity: 'empaque',
  role: 'compras',
  language: 'es-MX',
};
const lines = (more: Partial<DraftRequest> = {}): string[] => templateDraft({ ...ASKED, ...more }).body.split('\n\n');

describe('a draft without a model', () => {
  it('greets by the first name and says what the person does, in whole sentences', () => {
    expect(lines().slice(0, 2)).toEqual([
      'Hola, Mariana:',
      'Te escribo por tu trabajo en Empaques Indavia Prima, S.A. de C.V. como Gerente de Abastecimiento. Trabajamos con empresas de empaque, y en quince minutos te puedo mostrar en qué le servimos a un equipo como el tuyo.',
    ]);
    expect(lines({ language: 'en', title: 'Buyer' }).slice(0, 2).join(' ')).toMatch(
      /^Hi Mariana, I am writing because of your work at Empaques Indavia Prima, S\.A\. de C\.V\. as Buyer\. /,
    );
  });
  it('reads well with a title before the name, without a name and without a title', () => {
    expect(lines({ name: 'Lic. Mariana Salazar' })[0]).toBe('Hola, Lic. Mariana Salazar:');
    expect(lines({ name: 'M. Salazar' })[0]).toBe('Hola, M. Salazar:');
    expect(lines({ name: '' })[0]).toBe('Hola:');
    expect(lines({ name: '', language: 'en' })[0]).toBe('Hello,');
    expect(lines({ title: '' })[1]).toMatch(/ en Empaques Indavia Prima, S\.A\. de C\.V\. en el área de compras\. /);
  });
  it('has no sentence that ends in two points, whatever the company is called', () => {
    for (const company of ['Uno, S.A. de C.V.', 'Dos', 'Tres S. de R.L.'])
      for (const title of ['', 'Jefe de planta'])
        for (const language of ['es-MX', 'en'] as const) {
          const { subject, body } = templateDraft({ ...ASKED, company, title, language });
          expect(`${subject} ${body}`).not.toMatch(/\.\.|\s[.,]|\{|\}|undefined/);
        }
  });
});
