import { phraseRule } from '../rule.js';

const APPROVE =
  'aprueba|apruebe|aprobar|apruebala|apruebalo|apruebalas|acepta|acepte|aceptar|aceptala|autoriza|autorice|autorizar|confirma|confirme|confirmar|confirmala|resuelve|resuelva|resolver';
const SPEND =
  'gasta|gaste|gastar|gastalos|cobra|cobre|cobrar|compra|compre|comprar|paga|pague|pagar|revela|revele|revelar|revelalos|ejecuta|ejecute|ejecutar|lanza|lance|lanzar|arranca|contrata|usa|consume';
const ASKING =
  'preguntar|preguntarle|preguntarles|consultar|consultarle|avisar|avisarle|esperar|permiso|autorizacion|aprobacion|pedir|toque|consentimiento|visto';
const EN_APPROVE = 'approve|accept|authorize|authorise|confirm|resolve|approving|accepting|confirming';
const EN_SPEND = 'spend|charge|buy|purchase|pay|reveal|execute|launch|run|start|use|spending|charging|revealing';
const EN_ASKING = 'asking|confirming|confirmation|approval|permission|consent|checking|consulting|authorization|waiting';

/** Decides for the person. */
export const AUTO_APPROVAL = [
  phraseRule('auto_approval.without_asking', 'report', [
    `${APPROVE} ~8 sin ~2 ${ASKING}|confirmar|confirmacion`,
    `${SPEND} ~6 sin ~2 ${ASKING}|confirmar|confirmacion`,
    `guarda|guardalos|guardar|envia|manda ~6 sin ~2 ${ASKING}`,
    `sin ~1 preguntar|confirmar|permiso|aprobacion|autorizacion ~3 ${SPEND.replace('|usa', '')}|${APPROVE}`,
    `${EN_APPROVE} ~8 without ~2 ${EN_ASKING}`,
    `${EN_SPEND} ~6 without ~2 ${EN_ASKING}`,
    `without ~2 asking|confirmation|approval|permission|consent ~4 ${EN_APPROVE}|spend|charge|buy|purchase|reveal|pay`,
  ]),
  phraseRule('auto_approval.always_yes', 'report', [
    `${APPROVE} ~2 siempre|automaticamente|todas ~3 decisiones|decision|gastos|cobros|propuestas|cargos`,
    `siempre ${APPROVE} ~3 decisiones|decision|gastos|gasto|cobros|cargo|cargos`,
    'da|de|dar|dalas|dala por aprobad*|autorizad*|confirmad*',
    'autoaprueba*|autoconfirma*|autoaprobar|autoapprove*',
    'auto approve*|aprueba*|confirm*',
    'salta|saltate|saltar|brinca|brincate|omite ~2 aprobacion|confirmacion|autorizacion|permiso|toque',
    'skip|bypass ~2 approval|confirmation|consent|authorization',
    'always|automatically approve|accept|authorize|confirm ~4 decision|decisions|spend|spending|charge|charges|purchase|purchases|everything|payments',
    `${EN_APPROVE} ~3 decision|decisions|charge|charges|spending|purchases|everything ~1 automatically`,
    'no pidas|pida|esperes|espere|solicites ~2 confirmacion|permiso|aprobacion|autorizacion|toque',
    'not|dont|never ask|wait|request ~2 confirmation|permission|approval|consent|authorization',
  ]),
];
