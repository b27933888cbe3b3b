import { phraseRule } from '../rule.js';

const VERB =
  'ignora|ignore|ignoren|ignorar|ignorando|ignoras|ignorad|omite|omita|omitir|descarta|descarte|descartar|desestima|desestime|desatiende|desobedece|desobedezca|' +
  'olvida|olvide|olviden|olvidar|olvidate|olvidese|olvidando|olvidad|anula|anule|anular|invalida|sobrescribe';
const RULES =
  'instruccion|instrucciones|indicacion|indicaciones|regla|reglas|ordenes|directriz|directrices|directiva|directivas|norma|normas|restricciones|limitaciones|prompt|prompts|politicas|lineamientos';
const BEFORE =
  'anterior|anteriores|previa|previas|previos|iniciales|originales|recibidas|dadas|sistema|system|existentes|precedentes|arriba|plataforma|seguridad|establecidas|vigentes|manual';
const EN_VERB = 'ignore|ignoring|disregard|disregarding|forget|override|overriding|bypass|neglect|discard|overlook|skip';
const EN_RULES =
  'instruction|instructions|rule|rules|guideline|guidelines|direction|directions|directive|directives|prompt|prompts|policy|policies|constraints|guardrails|orders|commands';
const EN_BEFORE = 'previous|prior|earlier|above|preceding|initial|original|system|existing|foregoing|former';

/** "Ignora las instrucciones anteriores." */
export const OVERRIDE = [
  phraseRule('override.previous_instructions', 'report', [
    `${VERB} ~4 ${RULES} ~3 ${BEFORE}`,
    `${VERB} ~2 todas|tus ~2 instrucciones|indicaciones|reglas|directrices|ordenes|normas|directivas|lineamientos`,
    `${VERB} ~2 anteriores|previas ~1 ${RULES}`,
    `haz|haga|hagan|hacer|haciendo caso omiso ~4 ${RULES}|anterior|sistema|manual|dicho`,
    `no sigas|siga|obedezcas|obedezca|respetes|respete|atiendas|hagas ~3 ${RULES} ~3 ${BEFORE}`,
    `${EN_VERB} ~3 ${EN_BEFORE} ~3 ${EN_RULES}`,
    `${EN_VERB} ~2 all|your|any|every ~2 ${EN_RULES}`,
    `${EN_VERB} ~3 ${EN_RULES} ~2 above|before|previously|given|earlier`,
    `not|dont|never follow|obey|respect|apply ~3 ${EN_BEFORE}|your ~2 ${EN_RULES}`,
  ]),
  phraseRule('override.everything_said', 'report', [
    `${VERB} ~1 todo ~3 dicho|anterior|previo|dijeron|dijo|dije|sabes|aprendiste|aprendido|ensenaron|ordenaron|indicaron|explicaron !a|al`,
    `${EN_VERB} ~1 everything|anything|all ~4 above|before|said|told|previously|learned|know|earlier`,
  ]),
  phraseRule('override.new_instructions', 'report', [
    `estas|mis|nuevas|siguientes ~2 ${RULES} ~3 sustituyen|reemplazan|remplazan|anulan|prevalecen|mandan|invalidan`,
    `${RULES} ~3 prioridad|precedencia ~2 sobre ~3 sistema|manual|anteriores|plataforma|todo|demas`,
    'partir de ahora|aqui ~4 obedece|obedeceras|obedeces|ignora|ignoraras|olvida',
    `these|new|following|my ~1 ${EN_RULES} ~2 override|replace|supersede|overrule|overwrite`,
    `${EN_RULES} ~2 take|takes|have|has precedence|priority over`,
    'from now on ~3 obey|ignore|disregard|forget',
  ]),
];
