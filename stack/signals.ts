import type { Say } from './screen.js';
import { said } from './words.js';

export interface SignalPlan {
  /** Whether Ctrl-C and SIGTERM are ours to handle. */
  handle: boolean;
  stop: () => Promise<void>;
  /** Second signal: end everything at once. */
  force: () => void;
  /** The process is exiting without having stopped: tell the parts to go, without waiting. */
  abandon: () => void;
  say: Say;
}

/** Installs the handlers; the returned function takes them away again. */
export const onSignals = ({ handle, stop, force, abandon, say }: SignalPlan): (() => void) => {
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const code = signal === 'SIGINT' ? 130 : 143;
    if (asked) {
      say(said('forced'));
      force();
      process.exit(code);
    }
    asked = true;
    say(said('stopping'));
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        say(said('not_in_order', { why: error instanceof Error ? error.message : String(error) }));
        force();
        process.exit(1);
      },
    );
  };
  const signals: NodeJS.Signals[] = handle ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : [];
  for (const signal of signals) process.on(signal, onSignal);
  process.on('exit', abandon);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('exit', abandon);
  };
};
