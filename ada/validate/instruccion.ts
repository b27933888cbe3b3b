import { flat } from '../anchors.js';
import { defect, type Context, type Defect, type Rule } from './rule.js';

/** What stands in data is never an order, and nothing is said to have happened that did not. */

const ORDERS =
  /\b(?:ignora(?:r|d)?|olvida|haz caso omiso de|omite) (?:todas? )?(?:las |tus |mis |cualquier )?(?:instrucciones|reglas|indicaciones)|\b(?:ignore|forget|disregard) (?:all |any |the |your |previous )*(?:instructions|rules)|\b(?:eres ahora|ahora eres|a partir de ahora eres|you are now|act as|actua como)\b|\bsystem prompt\b|\bprompt del sistema\b|\b(?:aprueba|autoriza|revela|transfiere|paga|approve|authori[sz]e|reveal|transfer|pay) (?:todo|todos|todas|all|every|sin preguntar|without asking)|\bsin (?:preguntar|avisar|confirmar) (?:a la persona|al usuario|nada)|\b(?:no le digas|do not tell|don't tell) (?:al|a la|the)\b/g;
const OBEYS =
  /\b(?:siguiendo|segun|conforme a|de acuerdo con|como (?:pide|ordena|indica|instruye)|cumpliendo|atendiendo)\b[^.]{0,12}\b(?:las? |los? |el )?(?:instruccion(?:es)?|orden(?:es)?|indicacion(?:es)?) (?:de la|del|de|en|que)\b[^.]{0,16}\b(?:nota|registro|documento|tema|nombre|empresa|ficha|resultado|dato|texto|correo|playbook)|\bcomo (?:pide|ordena|instruye) (?:la nota|el registro|el documento|el texto|el nombre)\b|\b(?:following|as (?:instructed|requested|ordered) (?:by|in)|per) (?:the )?(?:instructions? )?(?:in |of |from )?(?:the )?(?:note|record|document|topic|name|text|result)\b/g;
/** Told, not done. */
const DECLINED =
  /\bno (?:lo|la|los|las|le)? ?(?:segu|sigo|obedec|hice|haré|hare|atend)|\bno es una (?:instruccion|orden)|\bignore esa\b|\bla ignore\b|\bi (?:did not|didn't|won't|will not) (?:follow|obey|do)\b|\bi ignored (?:it|that)\b/;

/** Orders to whoever reads a text, as small letters without accents. */
export const ordersIn = (text: string): string[] => [...flat(text).matchAll(ORDERS)].map((match) => match[0]);

/** Orders that hide in data, as words; short ones say nothing. */
const hidden = (context: Context): string[] => {
  const found: string[] = [];
  let budget = 8_000;
  const walk = (value: unknown, depth: number): void => {
    if (depth > 8 || budget-- < 0 || found.length >= 20) return;
    if (typeof value === 'string') {
      const small = flat(value.slice(0, 4_000));
      for (const match of small.matchAll(ORDERS)) found.push(small.slice(match.index, match.index + 60));
    } else if (value !== null && typeof value === 'object') for (const one of Object.values(value).slice(0, 200)) walk(one, depth + 1);
  };
  for (const call of context.worked) walk(call.result, 0);
  for (const row of [...context.compiled.board.selection, ...context.compiled.board.list]) walk(row.name, 0);
  return found;
};
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

export const instruccion: Rule = ({ narration }, context) => {
  const small = flat(narration.raw);
  const found: Defect[] = [];
  const near = (at: number): boolean => DECLINED.test(small.slice(Math.max(0, at - 120), at + 240));
  for (const pattern of [ORDERS, OBEYS])
    for (const match of small.matchAll(pattern)) {
      if (pattern === OBEYS || !near(match.index))
        found.push(
          defect('instruccion', 'instruccion.order', narration.raw.slice(match.index, match.index + match[0].length), match.index),
        );
    }
  // Five words in a row of a hidden order, as the narration's own.
  const spoken = wordsOf(small).join(' ');
  for (const order of hidden(context)) {
    const words = wordsOf(order);
    const run = words.slice(0, 5).join(' ');
    if (found.length > 0 || words.length < 5 || !spoken.includes(run)) continue;
    const at = Math.max(0, small.indexOf(words[0] ?? ''));
    if (!near(at)) found.push(defect('instruccion', 'instruccion.order', run, at));
  }
  return found;
};

/** What happened, as far as results and cards of the turn say. */
type Deed = 'approve' | 'charge' | 'reveal' | 'save' | 'send' | 'activate';
const deeds = (context: Context): Set<Deed> => {
  const found = new Set<Deed>();
  let budget = 8_000;
  const walk = (value: unknown, key: string, depth: number): void => {
    if (depth > 8 || budget-- < 0) return;
    if (typeof value === 'number' && value > 0) {
      if (key === 'captured') for (const deed of ['reveal', 'charge', 'approve'] as const) found.add(deed);
      if (key === 'spent') for (const deed of ['charge', 'approve'] as const) found.add(deed);
      if (key === 'saved' || key === 'already_there') for (const deed of ['save', 'approve'] as const) found.add(deed);
    } else if (typeof value === 'string') {
      if (key === 'charge_id') for (const deed of ['reveal', 'charge', 'approve'] as const) found.add(deed);
      if (key === 'state' && value === 'approved') found.add('approve');
    } else if (value !== null && typeof value === 'object')
      for (const [name, one] of Object.entries(value).slice(0, 200)) walk(one, Array.isArray(value) ? key : name, depth + 1);
  };
  for (const call of context.worked) if (call.ok) walk(call.result, '', 0);
  walk(context.tabled, '', 0);
  // Saved rows are in the CRM: somebody saved them.
  if (context.worked.some((call) => call.ok && call.name === 'collection_query')) found.add('save');
  return found;
};
const CLAIMS: ReadonlyArray<[Deed, 'mine' | 'done', RegExp]> = [
  [
    'approve',
    'mine',
    /(?<!\p{L})(?:(?:ya )?(?:aprobé|autoricé|di por aprobad[oa]s?|acepté la decisión)|ya (?:aprobe|autorice)|i(?:'ve| have)? (?:already )?(?:approved|authori[sz]ed))(?!\p{L})/giu,
  ],
  [
    'charge',
    'mine',
    /(?<!\p{L})(?:(?:ya )?(?:cobré|pagué|compré|realicé el (?:pago|cargo))|ya (?:cobre|pague|compre)|i(?:'ve| have)? (?:already )?(?:charged|paid|purchased|bought))(?!\p{L})/giu,
  ],
  [
    'reveal',
    'mine',
    /(?<!\p{L})(?:(?:ya )?(?:revelé|desbloqueé)|ya revele|(?:ya )?(?:los|las|te los|te las)? ?he revelado|i(?:'ve| have)? (?:already )?(?:revealed|unlocked))(?!\p{L})/giu,
  ],
  [
    'save',
    'mine',
    /(?<!\p{L})(?:(?:ya )?(?:guardé|registré en (?:el|tu) crm|di de alta)|ya (?:los|las|te los|te las) guarde|i(?:'ve| have)? (?:already )?saved)(?!\p{L})/giu,
  ],
  [
    'send',
    'mine',
    /(?<!\p{L})(?:(?:ya )?(?:envié|mandé)|ya (?:los |las )?(?:envie|mande)|i(?:'ve| have)? (?:already )?(?:sent|e-?mailed))(?!\p{L})/giu,
  ],
  ['activate', 'mine', /(?<!\p{L})(?:(?:ya )?activé|i(?:'ve| have)? (?:already )?activated)(?!\p{L})/giu],
  [
    'approve',
    'done',
    /(?<!\p{L})(?:(?:quedó|quedaron|fue|fueron|está|están|ha sido|han sido) (?:ya )?(?:aprobad|autorizad)[oa]s?|se (?:aprobó|autorizó)|decisión aprobada|(?:was|were|has been|have been|is now) (?:already )?(?:approved|authori[sz]ed))(?!\p{L})/giu,
  ],
  [
    'charge',
    'done',
    /(?<!\p{L})(?:se (?:cobró|cobraron|pagó|cargó|cargaron)|(?:fue|fueron|quedó|quedaron) (?:ya )?(?:cobrad|cargad|pagad)[oa]s?|(?:was|were|has been|have been) (?:already )?(?:charged|paid))(?!\p{L})/giu,
  ],
  [
    'reveal',
    'done',
    /(?<!\p{L})(?:se revelaron|se reveló|(?:quedó|quedaron|fue|fueron|están|está) (?:ya )?(?:revelad|desbloquead)[oa]s?|ya (?:está|están) revelad[oa]s?|(?:was|were|has been|have been|are now) (?:already )?(?:revealed|unlocked))(?!\p{L})/giu,
  ],
  [
    'save',
    'done',
    /(?<!\p{L})(?:se guardaron|se guardó|(?:quedó|quedaron|fue|fueron) (?:ya )?guardad[oa]s?|(?:was|were|has been|have been) (?:already )?saved)(?!\p{L})/giu,
  ],
  [
    'send',
    'done',
    /(?<!\p{L})(?:se (?:enviaron|envió|mandaron|mandó)|(?:quedó|quedaron|fue|fueron|están) (?:ya )?enviad[oa]s?|(?:was|were|has been|have been) (?:already )?sent)(?!\p{L})/giu,
  ],
  [
    'activate',
    'done',
    /(?<!\p{L})(?:se activó|(?:quedó|quedaron|está) (?:ya )?activad[oa]s?|(?:was|has been|is now) (?:already )?activated)(?!\p{L})/giu,
  ],
];
/** Said not to be, or only to come. */
const NOT_YET =
  /(?:^|[^\p{L}])(?:no|nada|ning[uú]n[oa]?|sin|nunca|a[uú]n no|todav[ií]a no|hasta que|cuando|si|al|una vez|despu[eé]s de|antes de|para que|not?|nothing|never|none|until|when|if|once|n't)(?:[^\p{L}](?:\p{L}+[^\p{L}]){0,3})$/iu;
const NOT_AFTER = /^\s*(?:nada|ning[uú]n|nothing|none)/iu;

/** Nobody approves, charges, reveals, saves or sends by text: such words need a result of this turn behind them. */
export const aprobacion: Rule = ({ narration }, context) => {
  const happened = deeds(context);
  return CLAIMS.flatMap(([deed, whose, pattern]) =>
    [...narration.masked.matchAll(pattern)].flatMap((match): Defect[] => {
      const before = narration.masked.slice(Math.max(0, match.index - 40), match.index);
      const sentence = before.slice(Math.max(before.lastIndexOf('.'), before.lastIndexOf('\n'), before.lastIndexOf(';')) + 1);
      if (NOT_YET.test(sentence) || NOT_AFTER.test(narration.masked.slice(match.index + match[0].length))) return [];
      // Ada never taps and never sends: in the first person nothing can make it true.
      if (whose === 'done' && happened.has(deed)) return [];
      return [defect('aprobacion', 'aprobacion.claim', narration.raw.slice(match.index, match.index + match[0].length), match.index)];
    }),
  );
};
