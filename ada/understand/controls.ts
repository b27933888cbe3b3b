import { clausesOf } from './wishes.js';

/** What a message orders of a campaign that is on its way. */
export type Control = 'pause' | 'resume' | 'cancel';

/**
 * A control is an order: its verb opens a clause, and the campaign, or nothing else, is what it is done to. The same letters inside another wish ("otra
 * secuencia para los de compras", "qué sigue con Lala", "las que cancelaron") order nothing.
 */
const LEAD =
  /^(?:\W+|(?:oye|ada|hola|hey|por favor|porfavor|porfa|porfas|plis|pls|please|ok|okay|ya|mejor|entonces|pues|bueno|espera|ahorita|ahora|asi que|si|tambien|de una vez|por lo pronto|por ahora|urge|favor de|te pido|quiero que|quiero|quisiera que|quisiera|necesito que|necesito|ocupo que|ocupo|hay que|vamos a|me puedes|puedes|podrias|me ayudas a|ayudame a|just|can you|could you|i want to|i'd like to|i need to|let's|lets|go ahead and|now|then|y|and|que)\s+)/;
/** The campaign by its name, whatever is said of it behind. */
const CAMPAIGN =
  '(?:(?:a|con|de|en|to|with|on)\\s+)?(?:(?:toda|todas)\\s+)?(?:la|las|esta|esa|estas|esas|mi|mis|nuestra|the|this|that|my|our)\\s+(?:otra\\s+|ultima\\s+|last\\s+|\\w+\\s+(?=campaign))?(?:campanas?|prospeccion(?:es)?|campaigns?|outreach|run)\\b';
/** For how long, how soon, and why: says nothing of another thing. */
const TIME =
  '(?:hoy|ahora|ahorita|pronto|mientras|manana|lunes|martes|miercoles|jueves|viernes|sabado|domingo|semanas?|quincena|dias?|mes|meses|ano|horas?|rato|ratito|momento|siempre|aviso|nuevo aviso|te diga|te avise|today|now|tomorrow|monday|tuesday|wednesday|thursday|friday|weeks?|days?|while|moment|further notice|tonight|good)';
const WHEN = `(?:tantito|ahi(?: mero)?|por favor|porfa\\w*|please|pls|plis|gracias|thanks|ya(?: mismo)?|hoy|ahora(?: mismo| si)?|ahorita|now|right now|today|mejor|tambien|todavia|de nuevo|otra vez|again|de una vez(?: por todas)?|nuevamente|por completo|completamente|para siempre|for good|entera?|completa|un (?:rato|ratito|momento|poco|dia)|unos (?:dias|minutos)|una (?:semana|hora)|(?:for|por|until|till|hasta|durante|en) (?:(?:el|la|los|las|lo|est[ae]|this|fin|de|a|an|the|unos?|unas?|dos|tres|\\d+|next|proxim[ao]|otr[ao]|que yo) )*${TIME}|en lo que .*|mientras .*|porque .*|because .*|que ya .*|ya que .*|pues .*|si(?: puedes)?|me equivoque)`;
const THING = '(?:\\s+(?:todo|esto|eso|it|this|that|everything|all of it))?';
const END = `(?:\\s*,?\\s*${WHEN})*\\W*$`;

const PAUSES =
  '(?:paus(?:ar|as?|es?|en|emos)(?:l[ao]s?|mel[ao])?|det(?:en|ener|engas?|engan|engamos|enle)(?:l[ao]s?)?|par(?:a|ar|es?|en|emos)l[aeo]s?|parar|paren|frena(?:r)?(?:l[ao]s?)?|suspend(?:er|e|as?|an)(?:l[ao]s?)?|congela(?:r)?(?:l[ao]s?)?|aguanta(?:l[ao]s?)|espera(?:te)? con|(?:pon|poner|ponga|pongan|deja|dejar)(?:l[aeo]s?|mel[ao])? en (?:pausa|espera)|(?:haz|hazme|hacer|hagamos)(?:le)? una pausa|ponle (?:pausa|alto)|dale pausa|hold|pause|stop|halt|freeze|suspend|put)';
const CANCELS = '(?:cancel(?:ar|as?|es?|en|emos)?(?:l[ao]s?|mel[ao])?|aborta(?:r)?(?:l[ao]s?)?|abort|kill|call off)';
/** They end other things too: only the campaign by its name is ended by them. */
const ENDS =
  '(?:termina(?:r)?(?:l[ao])?|acaba(?:r)? con|elimina(?:r)?(?:l[ao])?|borra(?:r)?(?:l[ao])?|quita(?:r)?|tira(?:r)?(?:l[ao])?|da(?:r)?(?:le)? de baja|olvida(?:te)?(?: de)?|ya no quiero|no quiero ya|end|drop|scrap|forget|delete|remove)';
const RESUMES =
  '(?:reanud(?:ar|as?|es?|en|emos)(?:l[ao]s?)?|despausa(?:r)?(?:l[ao]s?)?|reactiva(?:r)?(?:l[ao]s?)?|retom(?:ar|as?|es?|emos)(?:l[ao]s?)?|continu(?:ar|as?|es?|en|emos)(?:l[ao]s?)?|sig(?:ue|uela|uele|ueles|amos|an|as|a)|seguir|seguimos|avanza(?:le)?|(?:quita|quitar|quiten)(?:le|r)? la pausa|(?:saca|quita|sacar)(?:l[ao])? de (?:la )?pausa|(?:arranca|echa|pon)(?:l[ao]) (?:a andar|a correr|de nuevo|otra vez)|dale (?:play|continuar)|unpause|carry on|keep going|go on|continue|resume)';

const bare = (verbs: string): RegExp => new RegExp(`^${verbs}${THING}${END}`);
const named = (verbs: string): RegExp => new RegExp(`^${verbs}(?:\\s+${WHEN})?\\s+${CAMPAIGN}`);
const RULES: ReadonlyArray<readonly [Control, readonly RegExp[]]> = [
  [
    'resume',
    [
      named(RESUMES),
      bare(RESUMES),
      new RegExp(
        `^(?:sig(?:ue|amos)|continu(?:a|emos)|dale|avanza|go on|carry on|keep going|continue)\\s+(?:con|with)\\s+(?:${CAMPAIGN.replace('(?:(?:a|con|de|en|to|with|on)\\s+)?', '')}|(?:ella|eso|esa|todo|lo que falta|it|that)${END})`,
      ),
    ],
  ],
  ['cancel', [named(CANCELS), bare(CANCELS), named(ENDS), new RegExp(`^(?:ya no la quiero|terminala ya|stop it for good)${END}`)]],
  [
    'pause',
    [
      named(PAUSES.replace('|put)', ')')),
      bare(PAUSES.replace('|put)', ')')),
      new RegExp(`^put (?:it|${CAMPAIGN}) on hold`),
      new RegExp(`^alto(?: ahi)?${END}`),
      new RegExp(`^alto a ${CAMPAIGN}`),
      new RegExp(`^(?:pon|poner|ponga|deja|put)\\s+${CAMPAIGN}.*\\b(?:en (?:pausa|espera)|on hold)\\b`),
      new RegExp(`^que (?:se )?(?:pare|detenga|pause)${END}`),
    ],
  ],
];
/** "Para" is the preposition, unless it stands alone or before the campaign with nothing to be done for it. */
const HALT = new RegExp(
  `^(?:para|pare)(?:\\s+(?:ya|tantito|todo|por favor|porfa|un (?:rato|ratito|momento)))*\\W*$|^(?:para|pare)\\s+${CAMPAIGN}(?:\\s+de\\s+[\\w ]{2,30})?${END}`,
);
/** Told under a condition, asked about, or refused: nothing is to be done now. */
const NOT_NOW =
  /^\W*(?:si|cuando|en cuanto|hasta que|a menos que|despues de que|if|when|once|after|unless)\s+(?!(?:por favor|porfa|mejor|ya)\b)\w+|\b(?:no|nunca|ni|sin|don't|do not|never)\s+(?:me\s+|nos\s+)?(?:la\s+|lo\s+|las\s+)?(?:paus|cancel|par(?:es|en)|deten|detengas|reanud|pause|stop|cancel|suspend)/;
const NO_CONTROL =
  /^\W*(?:hold on|stop by|go on and|sigue\s+(?:buscando|dando|sin|siendo|igual)|resume (?:mi|el|los|las|la|esto|eso|tu)\b)/;

/** The control that a message orders; null when it orders none. In small letters without accents. */
export const controlIn = (flat: string): Control | null => {
  if (NOT_NOW.test(flat)) return null;
  const clauses = flat
    .split(/[.,;:!?¿¡\n]+|\s+(?:y|pero|and|but)\s+(?=\w)/)
    .flatMap((part) => clausesOf(part, part))
    .map((part) => part.trim())
    .filter(Boolean);
  let opens = true;
  for (const clause of clauses) {
    let text = clause;
    const heads = opens;
    const found = (): Control | null =>
      NO_CONTROL.test(text)
        ? null
        : heads && HALT.test(text)
          ? 'pause'
          : (RULES.find(([, patterns]) => patterns.some((pattern) => pattern.test(text)))?.[0] ?? null);
    for (let before = ''; before !== text;) {
      const control = found();
      if (control) return control;
      before = text;
      text = `${text} `.replace(LEAD, '').trim();
    }
    // A greeting leaves the first place to what comes after it.
    opens &&= text === '';
  }
  return null;
};
