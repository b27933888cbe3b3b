import type { ReactNode } from 'react';
import type { AccountState, ContactState, RunState } from '../../contracts/states.js';
import { RUN_ICON } from '../../view/run.js';
import { useWords } from '../words/words.js';

const RUN_TONE: Record<RunState, string> = {
  ready: 'warn',
  running: 'busy',
  waiting_decision: 'warn',
  waiting_external: 'warn',
  paused: '',
  stopping: '',
  completed: 'good',
  completed_partial: 'warn',
  canceled: '',
  failed: 'bad',
};
const ACCOUNT: Record<AccountState, [icon: string, tone: string]> = {
  pending: ['○', ''],
  running: ['▶', 'busy'],
  chosen: ['✓', 'good'],
  not_found: ['∅', 'warn'],
  suppressed: ['⊘', ''],
  skipped: ['–', ''],
  failed: ['✗', 'bad'],
};
const CONTACT: Record<ContactState, [icon: string, tone: string]> = {
  quoted: ['○', ''],
  held: ['◔', ''],
  sent: ['▶', 'busy'],
  captured: ['✓', 'good'],
  voided: ['–', ''],
  unconfirmed: ['?', 'warn'],
  suppressed: ['⊘', ''],
  drafted: ['✎', 'good'],
};

const Chip = ({ icon, tone, text }: { icon: string; tone: string; text: string }): ReactNode => (
  <span className={`chip ${tone}`}>
    <span aria-hidden="true">{icon}</span>
    {text}
  </span>
);

/** A state as icon and words: never colour alone. */
export const RunChip = ({ state }: { state: RunState }): ReactNode => (
  <Chip icon={RUN_ICON[state]} tone={RUN_TONE[state]} text={useWords().say(`run.state.${state}`)} />
);
export const AccountChip = ({ state }: { state: AccountState }): ReactNode => (
  <Chip icon={ACCOUNT[state][0]} tone={ACCOUNT[state][1]} text={useWords().say(`account.state.${state}`)} />
);
export const ContactChip = ({ state }: { state: ContactState }): ReactNode => (
  <Chip icon={CONTACT[state][0]} tone={CONTACT[state][1]} text={useWords().say(`contact.state.${state}`)} />
);
