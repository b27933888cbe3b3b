export * from './common.js';
export * from './companies.js';
export * from './people.js';
export * from './crm.js';
export * from './sequences.js';
export * from './usage.js';
