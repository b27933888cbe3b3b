import type { LIMIT_KINDS } from '../../contracts/turn.js';
import { abroadIn } from './abroad.js';
import { mended } from './spelling.js';
import { same, tidy } from './text.js';

/** What people ask for and nobody does here, by the codes of skills/references/limites.md where it has one. */
export type Beyond =
  | 'otro_crm'
  | 'buzon'
  | 'crm_no_edita'
  | 'playbook_lectura'
  | 'bases'
  | 'fuera'
  | 'llamar'
  | 'archivo'
  | 'mensajes'
  | 'recordar'
  | 'participar'
  | 'factura';
type LimitKind = (typeof LIMIT_KINDS)[number];
export const KIND_OF: Record<Beyond, LimitKind> = {
  otro_crm: 'conector',
  buzon: 'conector',
  crm_no_edita: 'operacion',
  playbook_lectura: 'operacion',
  bases: 'cobertura',
  fuera: 'cobertura',
  llamar: 'operacion',
  archivo: 'operacion',
  mensajes: 'operacion',
  recordar: 'operacion',
  participar: 'operacion',
  factura: 'operacion',
};

const OTHER_CRMS =
  '(?:salesforce|sales force|hubspot|hub spot|zoho|pipedrive|dynamics|odoo|bitrix\\d*|kommo|clientify|freshsales|sugarcrm|suitecrm|monday\\.com|airtable|sap|netsuite|google sheets|hojas? de (?:calculo|google))';
const MOVES =
  '(?:mand|pas|sub|export|conect|sincroniz|guard|met|llev|integr|jal|tra[ei]|import|baj|descarg|sac|copi|vaci|vinculo?|enlaz|carg|migr|registr|anot|log|put|add|update|write|actualiz|lee|checa|revis|busc|muestr|ensen|send|push|connect|sync|save|pull|load|read|fetch|bring|link)\\w*';
const HOLDS =
  '(?:(?:mis?|mi|nuestr[oa]s?|el|la|las|los|lo|todo lo|my|our|the)\\s+(?:\\w+\\s+){0,4}?(?:de|en|desde|del|from|in|on)\\s+(?:mi\\s+|el\\s+|nuestro\\s+|my\\s+|our\\s+)?|(?:a|al|en|con|desde|con mi|to|with|from|into)\\s+(?:mi\\s+|el\\s+|nuestro\\s+|my\\s+|our\\s+)?)';
/** Another CRM as a place to move things to or from; as a product that somebody sells it is a trade. */
const OTHER_CRM = new RegExp(
  `\\b${MOVES}\\b.*\\b${OTHER_CRMS}\\b|\\b${HOLDS}${OTHER_CRMS}\\b|^\\W*(?:y\\s+)?(?:mi\\s+)?${OTHER_CRMS}\\W*$|\\b(?:usamos|uso|trabajamos con|tengo|tenemos|we use|i use)\\s+${OTHER_CRMS}\\b`,
);
const SOLD = new RegExp(
  `\\b(?:proveedor\\w*|licencias?|implement\\w*|consultor\\w*|partners?|empresas? que|quien\\w* (?:le )?(?:ha |han )?(?:vend|surt|gan)\\w*|licitacion\\w*|adjudic\\w*|contratos?|usan|usen|compraron|suppliers?|who (?:sold|sells))\\b(?:(?!\\s(?:y|and|luego)\\s)[^,.;]){0,60}\\b${OTHER_CRMS}\\b`,
);

const MAILBOX =
  '(?:gmail|gamil|gmial|outlook|outluk|autlook|hotmail|office ?365|exchange|buzon|bandeja|correo|mail|email|mailbox|inbox|google|calendario|calendar)';
const CONNECT = new RegExp(
  `\\b(?:conect\\w*|conexion(?:es)?|vincul\\w+|sincroniz\\w+|enlaz\\w+|integra\\w*|connect|link|sync|hook up)\\b.*\\b${MAILBOX}\\b|\\b(?:desde|con|por|from|through|using|via) (?:mi|my|nuestro|our) ${MAILBOX}\\b`,
);

/** An order, not a question about it: at the start, after a mark, or after words of asking. */
const ORDERED =
  "(?:^|[.,;:!?¿¡]\\s*|\\b(?:y|ya|luego|tambien|puedes|podrias|quiero|quisiera|necesito|ocupo|hay que|favor de|porfa\\w*|por favor|ayudame a|nomas|solo|then|and|please|can you|could you|i want to|i need to|let'?s)\\s+(?:que\\s+|me\\s+|le\\s+)?)";
const STAGE =
  '(?:propuesta|negociacion|contactad[oa]s?|prospecto|ganad[oa]s?|perdid[oa]s?|cerrad[oa]s?|descartad[oa]s?|won|lost|closed|proposal|negotiation|contacted)';
/** "Pásame las de esa etapa" shows them; "cámbiame la etapa" changes it. */
const EDITS =
  '(?:(?:cambi|muev|mov|actualiz|edit|corrig|correg|modific|reasign|asign|renombr|change|move|update|rename|reassign|assign)\\w*|(?:pas|pon|marc|sub|baj|avanz|regres|set|mark)(?!\\w*me\\b)\\w*)';
const RECORD_FIELD =
  '(?:etapa|estatus|status|stage|fase|monto|importe|valor|responsable|vendedor|dueno|probabilidad|fecha de cierre|amount|owner|close date)';
const CRM_EDITS = [
  new RegExp(
    `${ORDERED}(?:cambia|mueve|pasa|pon|marca|sube|baja|regresa|avanza|move|mark|set|put)\\w*\\s+(?:a|en|como|to|as)\\s+(?:la\\s+etapa\\s+(?:de\\s+)?)?${STAGE}\\s+(?:a\\s+)?(?:la|el|los|las|the|mi|esa|ese|esta|este)\\b`,
  ),
  new RegExp(`${ORDERED}${EDITS}\\b(?!\\s+(?:la\\s+)?campana).{0,60}\\b(?:la|el|su|de|the|its)\\s+${RECORD_FIELD}\\b`),
  new RegExp(
    `${ORDERED}(?:cambia|mueve|pasa|pon|marca|sube|regresa|avanza|move|mark|set|put)(?!\\w*me\\b)\\w*\\b.{2,70}\\b(?:a|en|como|to|as|in)\\s+(?:la\\s+etapa\\s+(?:de\\s+)?|etapa\\s+(?:de\\s+)?|the\\s+)?${STAGE}\\b(?!\\s+(?:de|del|por|con)\\b)`,
  ),
  new RegExp(
    `${ORDERED}(?:borra|elimina|quita|da de baja|dar de baja|delete|remove)\\w*\\b.{2,60}\\b(?:del|de mi|de el|from (?:the|my)) (?:crm|pipeline|embudo)\\b`,
  ),
  new RegExp(
    `${ORDERED}(?:borra|elimina|delete)\\w*\\s+(?:la|el|los|las|esa|ese|esta|este|a|the|that|this)\\s+(?:cuenta|registro|oportunidad|prospecto|account|record|deal)\\b`,
  ),
  new RegExp(
    `${ORDERED}(?:agrega|anota|apunta|registra|pon|crea|add|log|create)\\w*\\b.{0,30}\\b(?:una?|la|esta|a|the)\\s+(?:nota|tarea|recordatorio|actividad|llamada|visita|note|task|reminder|activity|call)\\b(?!.*\\bplaybook\\b)`,
  ),
];

/** "Súbelos al embudo como prospectos" keeps them. */
const KEEPS =
  /\b(?:sub[ea]|met[ea]|agreg[au]e?|pas[ae]|guard[ae]|pon|anad[ae]|echa)(?:l[oa]s|mel[oa]s|r?l[oa]s)\b.{0,12}\b(?:al?|en el|en mi|en)\s+(?:mi |el )?(?:crm|embudo|pipeline|prospectos|lista)\b/;

const PLAYBOOK =
  '(?:playbook|playbok|pleibuk|manual de ventas|guia de ventas|notas del equipo|lo que sabe el equipo|wiki|cerebro|sales guide|team notes)';
const PLAYBOOK_EDITS = [
  new RegExp(
    `${ORDERED}(?:agreg|anad|anot|apunt|escrib|guard|pon|met|sum|registr|actualiz|edit|cambi|corrig|modific|borr|elimin|quit|document|dej|add|write|put|save|update|edit|change|delete|remove|note)\\w*\\b.{0,80}\\b${PLAYBOOK}\\b`,
  ),
  new RegExp(`\\b${PLAYBOOK}\\b\\W*(?:agrega|anade|anota|apunta|pon|guarda|actualiza|cambia|borra|add|note|update)\\w*`),
];

const PAPERS =
  '(?:las bases|bases (?:completas?|tecnicas|de la|de licitacion|del concurso|de esa|de ese|de la convocatoria)|pliego\\w*|anexos?(?: tecnicos?)?|terminos de referencia|expediente (?:de la|completo)|documentos? (?:de la|del|completos?|oficial\\w*)|convocatoria (?:completa|oficial|en pdf)|el pdf|en pdf|archivo de la|formatos? de la|bid documents?|tender documents?|terms of reference|full (?:tender|rfp))';
const TENDER = '(?:licitacion\\w*|lici|concurso|convocatoria|invitacion|procedimiento|tender|rfp|bid)';
const BASES = [
  new RegExp(`\\b${PAPERS}\\b.*\\b${TENDER}\\b`),
  new RegExp(`\\b${TENDER}\\b.*\\b${PAPERS}\\b`),
  /\b(?:tender|bid|rfp) (?:documents?|papers?|package|files?)\b/,
  /\b(?:pasame|dame|mandame|descarga\w*|bajame|consigueme|enviame|comparteme|muestrame|quiero|necesito|leeme|resumeme|download|send me)\s+(?:ver\s+)?(?:las\s+|los\s+|the\s+)?(?:bases|anexos|pliegos?|terminos de referencia)\b(?!\s+de\s+datos)/,
];

const CALLS = new RegExp(
  `${ORDERED}(?:llam[ae](?:l[eoa]s?|r|les)?|marcal[eoa]s?|marcarl[eoa]s?|haz(?:le|les)? una llamada|(?:da|dale|dales) un telefonazo|mand\\w+ (?:un |por )?(?:whats\\w*|wasap|sms|mensaje de texto)|agend\\w+ (?:una?|la)? ?(?:cita|junta|llamada|reunion|videollamada|demo)|call (?:them|him|her|the)|schedule (?:a|the) (?:call|meeting|demo)|book (?:a|the) (?:call|meeting))\\b`,
);

const FORMAT = '(?:pdf|excel|exel|xlsx?|csv|word|docx?|power ?point|pptx?|ppt|google sheets?|hoja de calculo|spreadsheet|slides?)';
/** "En Excel", "como un pdf", "a un archivo de word": how the rest of the message is to come. */
const AS_FILE = new RegExp(
  `(?:,\\s*)?\\b(?:(?:y\\s+)?(?:exporta|exportame|exportal[oa]s?|descarga|descargame|descargal[oa]s?|pas[ae]l[oa]s?|export it|and export|save it)\\s+)?(?:en|a|al|como|as|in|into|to)\\s+(?:un |una |a |an )?(?:formato |archivo |file |hoja )?(?:de |en |of )?${FORMAT}(?: file)?\\b`,
);
const FILES = [
  new RegExp(
    `\\b(?:export|descarg|baj[ae]|convert|convierte|pas[ae]|mand[ae]|envi[ae]|imprim|sac[ae]|ha(?:z|s)(?:me)?|dame|gener|arma|pon(?:lo|me|la)|download|print|save|send|turn|give|make|get|quiero|necesito|ocupo|puedes)\\w*\\b.{0,60}\\b${FORMAT}\\b`,
  ),
  new RegExp(`${ORDERED}(?:imprim\\w+|print)\\b`),
  new RegExp(
    `${ORDERED}(?:exporta|exportame|exportar|exportal[oa]s?|descarga|descargame|descargar|descargal[oa]s?|bajame|export|download)(?:\\s+(?:me\\s+)?(?:la |el |las |los |esta |este |the |this |that |it|them|esto|eso|todo|todos|todas|all)(?:\\w+)?(?:\\s+(?:lista|listado|tabla|resultados|datos|list|table|results))?)?\\W*$`,
  ),
];
/** Makers of what is printed, and those who know a program, are looked for and made into no file. */
const FILES_SOLD = /\b(?:imprentas?|impresores?|impresoras?|cursos? de (?:excel|word)|capacitacion)\b/;
const CHANNEL = '(?:whats\\w*|wasap|guasap|wp|sms|telegram|linkedin|facebook|instagram|messenger|twitter|tiktok|redes(?: sociales)?)';
const MESSAGES = [
  new RegExp(
    `${ORDERED}(?:mand[ae]|envi[ae]|mandar|enviar|reenvi[ae]|compart[ae]|pas[ae]|publi[cq]\\w+|postea|sub[ae]|send|share|forward|post|publish)\\w*\\b.{0,60}\\b(?:por|en|a|al|via|un|unos|on|by|through|to|a)\\s+(?:mi |su |el |un |the |my )?${CHANNEL}\\b`,
  ),
];
const REMINDS = new RegExp(
  `${ORDERED}(?:recuerda(?:me|nos)|recordar(?:me|nos)|remind me)\\s+(?:de\\s+|que\\s+(?:tengo|debo|hay|tenemos|hable|llame|mande)|to\\b|about\\b|el\\b|la\\b|en\\b|manana|hoy|[a-z]+(?:ar|er|ir)(?:l[aeo]s?)?\\b)|${ORDERED}(?:pon(?:me|le|nos)?|crea(?:me)?|hazme|agrega|programa(?:me)?|set)\\s+(?:un |una |a )(?:recordatorio|alarma|reminder|alarm)`,
);
const BIDS = [
  new RegExp(
    `${ORDERED}(?:inscrib\\w+|registr(?:a|e)(?:me|nos|rme|rnos)|apunta(?:me|nos)|anota(?:me|nos)|met[ea](?:me|nos)|register (?:me|us)|sign (?:me|us) up)\\b.{0,30}\\b(?:licitacion|concurso|convocatoria|tender|padron|compranet)`,
  ),
  new RegExp(
    `${ORDERED}(?:sub[ea]|mand[ae]|envi[ae]|met[ea]|present[ae]|entreg[ae]|carg[ae]|subir|mandar|enviar|presentar|submit|upload|send)\\w*\\s+(?:mi|nuestra|la|una|my|our|the|a)\\s+(?:propuesta|oferta|cotizacion|proposal|bid|offer)\\b.{0,40}\\b(?:compranet|portal|licitacion|concurso|convocatoria|plataforma|gobierno|dependencia|tender|imss|issste|cfe|pemex)`,
  ),
];
const INVOICES = new RegExp(
  `${ORDERED}(?:haz|hazme|genera|generame|emite|timbra|manda|mandame|envia|make|issue|send)\\w*\\s+(?:me\\s+)?(?:la|una|mi|el|las|an?|the|my)\\s+(?:facturas?|cfdi|invoices?)\\b`,
);

/** What of a message nobody does here; the first that it names. Places outside Mexico count only where no place inside is named. */
export const beyondIn = (given: string, flat: string, inMexico: boolean): Beyond | null => {
  if (OTHER_CRM.test(flat) && !SOLD.test(flat)) return 'otro_crm';
  if (CONNECT.test(flat)) return 'buzon';
  if (PLAYBOOK_EDITS.some((pattern) => pattern.test(flat))) return 'playbook_lectura';
  if (!/\bcampan|\bcampaign|\bsecuencia/.test(flat) && !KEEPS.test(flat) && CRM_EDITS.some((pattern) => pattern.test(flat)))
    return 'crm_no_edita';
  if (BASES.some((pattern) => pattern.test(flat))) return 'bases';
  if (BIDS.some((pattern) => pattern.test(flat))) return 'participar';
  if (CALLS.test(flat)) return 'llamar';
  if (MESSAGES.some((pattern) => pattern.test(flat))) return 'mensajes';
  if (REMINDS.test(flat)) return 'recordar';
  if (INVOICES.test(flat)) return 'factura';
  if (!FILES_SOLD.test(flat) && FILES.some((pattern) => pattern.test(flat))) return 'archivo';
  return !inMexico && abroadIn(given, flat).length > 0 ? 'fuera' : null;
};
/** A message without the kind of file it is to come in; null where it names none. */
export const withoutFile = (given: string): string | null => {
  const found = AS_FILE.exec(same(given));
  return found ? `${given.slice(0, found.index)} ${given.slice(found.index + found[0].length)}`.replace(/\s+/g, ' ').trim() : null;
};
/** Kinds of limit that a message itself asks for, for the check of an answer that says one. */
export const limitsAsked = (message: string): ReadonlySet<LimitKind> => {
  const given = mended(tidy(message));
  const code = beyondIn(given, same(given), false);
  return new Set(code ? [KIND_OF[code]] : []);
};
