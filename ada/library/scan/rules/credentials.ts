import { inFlat, inRaw, phraseRule, textRule } from '../rule.js';

const ASK =
  'pide|pida|pedir|pidele|pideles|pidan|solicita|solicite|solicitar|solicitale|consigue|obten|obtener|pregunta|preguntale|dame|danos|dime|pega|pegue|ingresa|ingrese|escribe|comparte|envia|enviame|manda|' +
  'mandame|revela|lee|extrae|captura|usa|guarda|muestra|muestrame|proporciona|' +
  'ask|request|give|enter|paste|share|provide|send|reveal|tell|read|extract|capture|type|collect|show|print|get|obtain';
const SECRET = 'contrasena|contrasenas|password|passwords|passphrase|credenciales|credentials|apikey|apikeys|cvv';

/** Asks for secrets, or holds one. */
export const CREDENTIALS = [
  phraseRule('credentials.ask', 'report', [
    `${ASK} ~6 ${SECRET}`,
    `${ASK} ~6 api|access|secret|private|session ~1 key|keys|token|tokens`,
    `${ASK} ~6 clave|claves|llave|llaves|token|tokens ~2 api|acceso|privada|privadas|secreta|secretas|sesion|bancaria|bancarias`,
    `${ASK} ~6 nip ~2 bancario|tarjeta|cuenta`,
    `${ASK} ~6 numero ~1 tarjeta`,
    `${ASK} ~6 credit|debit card`,
  ]),
  textRule(
    'credentials.present',
    'report',
    inRaw(
      /\bsk-[A-Za-z0-9_-]{20,200}/g,
      /\bAKIA[0-9A-Z]{16}\b/g,
      /\bgh[pousr]_[A-Za-z0-9]{30,200}/g,
      /\bgithub_pat_[A-Za-z0-9_]{22,200}/g,
      /\bxox[abprs]-[A-Za-z0-9-]{10,200}/g,
      /\bAIza[0-9A-Za-z_-]{35}/g,
      /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,2000}/g,
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/g,
    ),
  ),
  textRule(
    'credentials.assigned',
    'report',
    inFlat(
      /\b(?:password|passwd|contraseña|api[_ -]?key|secret[_ -]?key|access[_ -]?token|clave[_ ]api)["'`]{0,2}\s{0,3}[:=]\s{0,3}["'`]{0,2}(?=[^\s"'`]{0,60}[0-9])[^\s"'`<{$]{8,200}/g,
      /\bbearer\s{1,3}[a-z0-9._~+/-]{20,2000}/g,
      /\b[a-z][a-z0-9+]{1,20}:\/\/[^\s:/@]{1,100}:[^\s:/@]{1,100}@[a-z0-9.-]{1,200}/g,
    ),
  ),
];
