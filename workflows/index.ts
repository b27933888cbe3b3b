/** Workflow types are the skills' names, to the letter. */
import { campana } from './campana.js';
import { findCompaniesStep } from './companies.js';
import { contactsStep } from './people.js';
import { draftsOrReview } from './review.js';
import { saveStep } from './save.js';

export {
  campana,
  findCompaniesStep as 'buscar-empresas-y-proveedores',
  saveStep as 'guardar-en-crm',
  contactsStep as 'conseguir-contactos',
  draftsOrReview as 'armar-secuencia',
};
