import { fold } from '../../read/body.js';
import { report, type Rule } from '../rule.js';

const QUOTED = /[«"“'‘][^«»"“”]{3,80}[»"”'’]/;
const WHEN =
  /\b(?:usal[oa]|usar|cuando|si (?:la|el|alguien|pide|piden|pregunta|quiere|dice)|para (?:saber|ver|cuando|preguntas)|use (?:it|this|when)|when)\b/;
const WHEN_NOT =
  /\b(?:no (?:para|es|son|lo|la|los|las|se|uses|usar|usarl[oa]|sirve|cuando|si|incluye|cubre|envia|manda|busca|cuenta)|nunca para|salvo|excepto|not (?:for|when|if)|(?:do not|don't|never) use)\b/;

/** The only thing the model sees of a skill that is not open: what it does, when, and when not. */
export const description: Rule = {
  codes: ['description_brackets', 'description_without_when', 'description_without_when_not'],
  check: (skill, library) => {
    const found = report(skill, library);
    const at = { key: 'description' };
    const text = fold(skill.description);
    if (/[<>]/.test(skill.description)) found.error('description_brackets', at);
    if (!QUOTED.test(skill.description) && !WHEN.test(text)) found.error('description_without_when', at);
    // Saying whose it is instead tells when not, too.
    const others = [...library.snapshot.skills.keys()].filter((name) => name !== skill.name && name.includes('-'));
    if (!WHEN_NOT.test(text) && !others.some((name) => text.includes(name))) found.error('description_without_when_not', at);
    return found.problems;
  },
};
