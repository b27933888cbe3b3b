/** Values of the characters in the official check-digit rule: 0–9, A–N, &, O–Z, blank, Ñ. */
const VALUES = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/**
 * Check digit of an RFC without it: 11 characters for a company, 12 for a person.
 * @returns `0`–`9` or `A`.
 * @throws when a character is outside the alphabet.
 */
export const rfcCheckDigit = (body: string): string => {
  const padded = body.toUpperCase().padStart(12, ' ');
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const value = VALUES.indexOf(padded.charAt(i));
    if (value < 0) throw new Error('Character outside the RFC alphabet');
    sum += value * (13 - i);
  }
  const rest = sum % 11;
  if (rest === 0) return '0';
  return rest === 1 ? 'A' : String(11 - rest);
};

/** Whether a text is a well-formed RFC (12 or 13 characters, a date that exists in its century-less form, right check digit). */
export const isValidRfc = (text: string): boolean => {
  const rfc = text.toUpperCase();
  const parts = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z0-9]{2}[0-9A]$/.exec(rfc);
  if (!parts) return false;
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return rfcCheckDigit(rfc.slice(0, -1)) === rfc.slice(-1);
};

/** Folds what people type around an RFC (case, blanks, hyphens). */
export const foldRfc = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9Ñ&]/g, '');
