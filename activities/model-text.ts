import { z } from 'zod';
import { flat } from '../ada/anchors.js';
import { ordersIn } from '../ada/validate/instruccion.js';
import { text, type Language } from '../contracts/catalog/index.js';

export interface DraftRequest {
  name: string;
  title: string;
  company: string;
  activity: string;
  role: string;
  language: Language;
}
export interface Draft {
  subject: string;
  body: string;
  written_by: 'model' | 'template';
}

/** What a text of somebody else's may take of a mail, in UTF-16 units. */
export const FIELD_MAX = 160;
const HALF_PAIR = /\p{Surrogate}/gu;
const BREAKS_AND_MARKS = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\s]+/gu;
/** One line of a length that a mail has: no breaks (a subject is a header), no controls, no marks that turn the direction of writing. */
const plain = (value: string): string => value.replaceAll(BREAKS_AND_MARKS, ' ').trim().slice(0, FIELD_MAX).replaceAll(HALF_PAIR, '\uFFFD');
export const plainly = (r: DraftRequest): Omit<DraftRequest, 'language'> => ({
  name: plain(r.name),
  title: plain(r.title),
  company: plain(r.company),
  activity: plain(r.activity),
  role: plain(r.role),
});

/** How somebody is greeted: by the first of their names. A title or an initial is none, and then it is the whole name; `nobody` when it is not known. */
const greeted = (name: string): string => {
  const [first = ''] = name.split(' ');
  return /^\p{L}[\p{L}'’-]+$/u.test(first) ? first : name || 'nobody';
};

/** A draft from the catalog's template: no model, no cost, labelled as such. */
export const templateDraft = (request: DraftRequest): Draft => ({
  subject: text(request.language, 'draft.subject', plainly(request)).slice(0, 300),
  body: text(request.language, 'draft.body', {
    ...plainly(request),
    greeted: greeted(plain(request.name)),
    known: plain(request.title) === '' ? 'role' : 'title',
  }),
  written_by: 'template',
});

const BODY_MIN = 40;
/** What the model is asked for: a first mail, not a document. */
export const DraftAnswer = z.object({ subject: z.string().min(1).max(150), body: z.string().min(BODY_MIN).max(2_000) });

export type Unfit = 'not_json' | 'shape' | 'markup' | 'placeholder' | 'contact' | 'other_person' | 'order';
/** Of a server that is not held to the schema; what is inside is judged all the same. */
const FENCED = /^[^`{]{0,200}```(?:json)?\s*(\{[\s\S]*\})\s*```$/;
const MARKUP = /<(?:[/!]?[a-z]|!--)[^<>]{0,400}>|```|!?\[[^[\]\n]{0,200}\]\([^()\s]{1,400}\)/iu;
/** A place that somebody has yet to fill: {name}, {{first_name}}, [Nombre], < >, %NAME%, ____, XXXX. */
const PLACEHOLDER = /\{[^{}\n]{0,80}\}|\[[^[\]\n]{0,80}\]|<[^<>\n]{0,80}>|%\w{2,40}%|_{3,}|\bX{3,}\b|\$\{?[a-z_]{3,}/iu;
/** Ways to reach somebody: addresses of pages and of mail, telephone numbers. */
const CONTACT =
  /\bhttps?:\/\/\S+|\bwww\.\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|mx|io|co|info|biz|app|dev|xyz|ru|cn)\b(?:\/\S*)?|\+?\d(?:[\s().-]{0,2}\d){7,}/giu;
const GREETING =
  /^\s*(?:hola|buen(?:os|as)?\s+(?:d[ií]as?|tardes)|estimad[oa]|querid[oa]|hi|hello|hey|dear)[\s,]+(?:(?:ing|lic|dra?|sra?|mtr[oa]|arq|mrs?|ms)\.?\s+)*(\p{L}[\p{L}'’-]+)/iu;
const ABOUT_ITSELF = /\b(?:as an ai|language model|modelo de lenguaje|como (?:una )?(?:ia|inteligencia artificial))\b/;

const words = (value: string): string[] => flat(value).match(/[\p{L}\p{N}'’-]+/gu) ?? [];
const unseen = (value: string): string =>
  value
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .replaceAll(HALF_PAIR, '\uFFFD')
    .trim();

/**
 * What a model wrote, if it is a mail that can be shown to a person for review: of the shape that was asked for, plain text, filled in, to
 * this person, with no way of contact that the data do not have, and no orders to whoever reads it.
 */
export const readDraft = (said: string, request: DraftRequest): Draft | { unfit: Unfit } => {
  const whole = said.trim();
  let value: unknown;
  try {
    value = JSON.parse(FENCED.exec(whole)?.[1] ?? whole);
  } catch {
    return { unfit: 'not_json' };
  }
  const first = DraftAnswer.safeParse(value);
  if (!first.success) return { unfit: 'shape' };
  const seen = DraftAnswer.safeParse({
    subject: unseen(first.data.subject.replaceAll(BREAKS_AND_MARKS, ' ')),
    body: unseen(first.data.body),
  });
  if (!seen.success) return { unfit: 'shape' };
  const { subject, body } = seen.data;
  const both = `${subject}\n${body}`;
  if (MARKUP.test(both)) return { unfit: 'markup' };
  if (PLACEHOLDER.test(both)) return { unfit: 'placeholder' };
  const data = plainly(request);
  const given = Object.values(data).join('\n').toLowerCase();
  if ([...both.matchAll(CONTACT)].some(([found]) => !given.includes(found.toLowerCase()))) return { unfit: 'contact' };
  const greeted = GREETING.exec(body)?.[1];
  if (greeted && /^\p{Lu}/u.test(greeted) && !words(`${data.name} ${data.company} ${data.title} ${data.role}`).includes(flat(greeted)))
    return { unfit: 'other_person' };
  if (ordersIn(both).length > 0 || ABOUT_ITSELF.test(flat(both))) return { unfit: 'order' };
  return { subject, body, written_by: 'model' };
};
