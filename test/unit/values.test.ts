import { describe, expect, it } from 'vitest';
import { hasText, text, type Language } from '../../contracts/catalog/index.js';
import { CreateRun } from '../../contracts/criteria.js';
import { OPPORTUNITY_STATUS, PARTICIPATION, SCREEN_VERDICTS } from '../../contracts/tools/market.js';
import { Candidate } from '../../contracts/tools/people.js';
import type { BoardRow } from '../../contracts/turn.js';
import { detailOf, sayField, sayFilter } from '../../view/values.js';
import { Words } from '../../view/words.js';

const wordsOf = (language: Language): Words =>
  new Words(language, { has: hasText, text: (code, params) => text(language, code, params) }, 'America/Mexico_City');
const es = wordsOf('es-MX');
const detail = (kind: BoardRow['kind'], parts: string, words = es): string => detailOf({ kind, detail: parts }, words).parts.join(' · ');

describe('words of a vocabulary', () => {
  it('all have a name in both languages', () => {
    const sizes = CreateRun.shape.criteria.shape.tamano.unwrap().options;
    const vocabularies = {
      size: sizes,
      status: OPPORTUNITY_STATUS,
      participation: PARTICIPATION,
      verdict: SCREEN_VERDICTS,
      seniority: Candidate.shape.seniority.options,
      stage: ['prospecto', 'contactado', 'propuesta', 'negociacion'],
    };
    for (const [field, values] of Object.entries(vocabularies))
      for (const value of values) expect(hasText(`view.value.${field}.${value}`), `${field} ${value}`).toBe(true);
  });

  it('are said in the language of whoever reads, wherever a row has them', () => {
    expect(detail('company', 'Empaque y embalaje · Jalisco · pequena')).toBe('Empaque y embalaje · Jalisco · pequeña');
    expect(detail('company', 'Jalisco · pequena')).toBe('Jalisco · pequeña');
    expect(detail('record', 'negociacion · Querétaro · Mariana')).toBe('negociación · Querétaro · Mariana');
    expect(detail('person', 'direccion · director')).toBe('dirección · dirección');
    expect(detail('person', 'recursos_humanos · jefe', wordsOf('en'))).toBe('human resources · head');
    expect(detail('supplier', 'EEJ850101AB1 · not_in_coverage')).toBe('EEJ850101AB1 · fuera de cobertura');
    expect(detail('award', 'IMSS · Material · 2025-05-11')).toBe('IMSS · Material · 11 may 2025');
  });

  it('are not looked for in what somebody wrote', () => {
    expect(detail('record', 'otra etapa · Jalisco · Grande')).toBe('otra etapa · Jalisco · Grande');
    expect(detail('record', 'seguimiento · Open · none')).toBe('seguimiento · Open · none');
    expect(detail('company', 'ventas · Puebla · grande')).toBe('ventas · Puebla · grande');
    expect(detail('topic', 'open')).toBe('open');
    expect(sayField('buyer', 'Otro', es)).toBe('Otro');
    expect(detail('record', 'constructor · toString · x')).toBe('constructor · toString · x');
  });

  it('are said in filters, several at once too', () => {
    expect(sayFilter('size', 'pequena', es)).toBe('pequeña');
    expect(sayFilter('size', 'pequena, mediana', es)).toBe('pequeña, mediana');
    expect(sayFilter('size', 'pequena, enorme', es)).toBe('pequena, enorme');
    expect(sayFilter('stage', 'negociacion', es)).toBe('negociación');
    expect(sayFilter('text', 'negociacion', es)).toBe('negociacion');
    expect(sayFilter('from', '2024-11-30', es)).toBe('30 nov 2024');
  });

  it('have an accent where the language has one: no label is the bare word of the data where that is not Spanish', () => {
    expect(['size.pequena', 'stage.negociacion', 'area.direccion', 'area.logistica'].map((code) => es.say(`view.value.${code}`))).toEqual([
      'pequeña',
      'negociación',
      'dirección',
      'logística',
    ]);
    for (const language of ['es-MX', 'en'] as const)
      for (const code of ['trust.plataforma', 'trust.propia', 'trust.tercero', 'closes.analisis'])
        expect(text(language, `cli.skills.${code}`)).not.toBe('');
  });
});
