import { phraseRule } from '../rule.js';

const POWER = 'administrador|admin|root|superusuario|desarrollador|programador|sistema|hacker|dan|operador';
const EN_POWER = 'administrator|admin|root|superuser|developer|system|hacker|dan|unrestricted|unfiltered|jailbroken|operator';

/** "Ahora eres…", "enter developer mode". */
export const ROLE_CHANGE = [
  phraseRule('role_change.new_identity', 'report', [
    'ahora ~1 eres|seras',
    'eres ahora|desde',
    'partir de ahora|aqui|este ~3 eres|seras|actuas|actuaras|finge|finges|responderas',
    `actua|actue|comportate|responde|habla como ~4 ${POWER}`,
    'finge|simula ~1 ser|eres|que ~1 eres|un|una|no',
    'ya no eres',
    'olvida|olvidate ~1 que eres',
    'you are now',
    'you are no longer',
    'from now on you',
    'forget ~1 you are|were|youre',
    `act|behave|respond|speak as ~4 ${EN_POWER}`,
    'pretend ~1 you|youre|to ~2 be|are|have|no|a|an',
  ]),
  phraseRule('role_change.mode', 'report', [
    'modo desarrollador|dios|jailbreak|dan|administrador|depuracion|root',
    'modo sin ~1 restricciones|filtros|limites|censura|reglas',
    'developer|god|dan|jailbreak|debug|admin|root|sudo mode',
    'unrestricted|unfiltered|uncensored mode|assistant|ai',
    'jailbreak*',
  ]),
];
