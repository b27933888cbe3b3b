import { useEffect } from 'react';

/**
 * A key that is held down taps once, on the whole page: what it repeats would answer the card that came next, or the same one at its new
 * price, or go from a form that says a price straight on to the one that accepts it. Only text of several lines takes repeated Enters.
 */
export const useHeldKeys = (): void => {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.repeat && event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
    };
    document.addEventListener('keydown', pressed, true);
    return () => document.removeEventListener('keydown', pressed, true);
  }, []);
};
