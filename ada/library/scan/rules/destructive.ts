import { inFlat, phraseRule, textRule } from '../rule.js';

/** Deletes, overwrites, or runs what was fetched. */
export const DESTRUCTIVE = [
  textRule(
    'destructive.command',
    'report',
    inFlat(
      /\brm\s{1,4}-{1,2}[a-z-]{0,20}[rf]/g,
      /\b(?:mkfs|fdisk)(?:\.[a-z0-9]{2,6})?\s/g,
      /\bdd\s{1,4}if=/g,
      /:\(\)\s{0,3}\{\s{0,3}:\s{0,3}\|/g,
      /\bchmod\s{1,4}(?:-r\s{1,4})?0?777\b/g,
      /\b(?:curl|wget)\b[^\n|]{0,300}\|\s{0,5}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b/g,
      /\bbase64\s{1,3}(?:-d|--decode)\b[^\n|]{0,200}\|\s{0,5}(?:ba|z)?sh\b/g,
      /\b(?:ba|z)?sh\s{1,3}-c\s{1,3}["'`$]/g,
      /\bremove-item\b[^\n]{0,100}-recurse\b/g,
      /\bpowershell(?:\.exe)?\s{1,3}-e(?:nc|xec)?/g,
      /\bdel\s{1,3}\/[fsq]\b/g,
      /\bformat\s{1,3}c:/g,
      /\bgit\s{1,3}push\s{1,3}(?:-f\b|--force)/g,
      /\bgit\s{1,3}reset\s{1,3}--hard\b/g,
      />\s{0,3}\/dev\/(?:sd[a-z]|null\s{0,2}2>&1\s{0,2}&)/g,
      /\b(?:shutdown|reboot)\s{1,3}(?:-|now)/g,
      /\b(?:os\.system|subprocess\.(?:run|call|popen)|child_process|eval|exec)\s{0,2}\(/g,
    ),
  ),
  textRule(
    'destructive.sql',
    'report',
    inFlat(
      /\bdrop\s{1,4}(?:table|database|schema|index|view|role|user)\b/g,
      /\btruncate\s{1,4}(?:table\s{1,4})?[a-z_."]{1,80}\s{0,3};/g,
      /\btruncate\s{1,4}table\b/g,
      /\bdelete\s{1,4}from\s{1,4}[a-z_."]{1,80}\s{0,4}(?:;|where\s{1,4}(?:1\s{0,2}=\s{0,2}1|true)\b)/g,
      /'\s{0,3}or\s{1,3}'?1'?\s{0,3}=\s{0,3}'?1/g,
    ),
  ),
  phraseRule('destructive.erase', 'report', [
    'borra|borrar|borre|elimina|eliminar|elimine|vacia|vaciar|destruye|destruir ~2 toda|todas|todo|todos|entera|completo ~4 crm|coleccion|colecciones|base|registros|datos|contactos|archivos|tablas|empresas|clientes|historial',
    'borra|elimina|vacia|destruye ~2 crm|coleccion|base|tablas ~2 entera|entero|completa|completo|toda',
    'delete|wipe|erase|destroy|purge ~2 all|every|entire|whole ~4 crm|collection|collections|database|records|data|contacts|files|tables|companies|customers|history',
  ]),
];
