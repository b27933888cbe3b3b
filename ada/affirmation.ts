import { flat } from './anchors.js';

/** Words that say yes, small and without accents. */
const YES = new Set(
  'si sip sii siii dale va vale sale ok okay okey oki yes yep yeah yup sure adelante hazlo hagamoslo claro orale andale venga correcto confirmo confirmado confirmada acepto aceptado aprobado aprobada apruebo aprueba apruebalo apruebala apruebalos apruebalas approve approved confirm go ahead simon'.split(
    ' ',
  ),
);
/** Words that a yes comes with and that name nothing to be done. */
const AROUND = new Set(
  'por favor please gracias thanks ya pues entonces bueno bien perfecto excelente listo me parece esta de acuerdo todo todos todas eso esa ese asi y lo la los las it that all do ada que sea'.split(
    ' ',
  ),
);
const LONGEST = 8;

/** A yes and nothing else: it names no pause, no resuming, no change, and so asks for none («sí, dale» after a pause). */
export const onlyAffirms = (message: string): boolean => {
  const words = flat(message).match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.length > 0 &&
    words.length <= LONGEST &&
    words.some((word) => YES.has(word)) &&
    words.every((word) => YES.has(word) || AROUND.has(word))
  );
};
