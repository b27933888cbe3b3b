import { type Hit } from '../finding.js';
import { MAIL_WORD, URL_WORD } from '../normalise.js';
import { inFlat, phraseRule, type Scanned, textRule } from '../rule.js';

const SEND =
  'envia|envie|enviar|enviale|envialos|envialas|manda|mande|mandar|mandale|mandalos|mandalas|sube|suba|subir|subelos|publica|publicar|postea|reenvia|reenviar|transmite|transmitir|' +
  'comparte|compartir|exporta|exportar|deposita|pega|pasa|pasalos|filtra';
const EN_SEND = 'send|sends|sending|forward|upload|post|transmit|leak|exfiltrate|submit';
/** Nouns as often as verbs: only towards an address. */
const EN_MAYBE = 'email|mail|share|export|copy|push|report';
const SECRET =
  'dato|datos|contacto|contactos|clave|claves|llave|llaves|contrasena|contrasenas|credenciales|token|tokens|conversacion|conversaciones|historial|hilo|mensajes|correos|telefonos|saldo|saldos|prompt|secretos|cartera|clientes|crm|base|' +
  'data|contact|contacts|key|keys|password|passwords|credentials|conversation|conversations|history|thread|messages|emails|phones|secrets|customers|balances|records';
const AWAY = `${URL_WORD}|${MAIL_WORD}|webhook|webhooks|endpoint|servidor|server|pastebin|ftp`;
const ASK =
  'revela|revele|revelar|muestra|muestrame|muestre|mostrar|imprime|imprimir|repite|repetir|repiteme|escribe|copia|dime|transcribe|filtra|publica|reveal|show|print|repeat|output|leak|display|recite|dump|expose';

const image = /!\[[^\]\n]{0,200}\]\(\s{0,3}https?:\/\/[^)\s]{0,500}(?:\?|\{|\$|%7b)[^)\s]{0,500}\)/g;

/** Things said here, sent elsewhere. */
export const EXFILTRATION = [
  phraseRule('exfiltration.send', 'report', [
    `${SEND} ~8 ${SECRET} ~8 ${AWAY}`,
    `${SEND} ~6 ${AWAY} ~8 ${SECRET}`,
    `${EN_SEND} ~8 ${SECRET} ~8 ${AWAY}`,
    `${EN_SEND} ~6 ${AWAY} ~8 ${SECRET}`,
    `${EN_MAYBE} ~8 ${SECRET} ~8 ${URL_WORD}|${MAIL_WORD}`,
  ]),
  phraseRule('exfiltration.prompt', 'report', [
    `${ASK} ~4 instrucciones|reglas|indicaciones|mensaje ~2 sistema|internas|ocultas|secretas|confidenciales`,
    `${ASK} ~4 prompt ~3 sistema|system|completo|inicial|interno|oculto`,
    `${ASK} ~4 tu|your|su ~2 prompt`,
    `${ASK} ~4 system|hidden|secret|internal|initial|confidential ~1 prompt|instructions|message|rules`,
  ]),
  textRule('exfiltration.image', 'report', (scanned: Scanned): Hit[] => inFlat(image)(scanned)),
];
