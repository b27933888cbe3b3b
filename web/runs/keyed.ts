import { useRef } from 'react';
import { newKey } from '../data/http.js';

/** One key for one content: the same content sent again, because no answer came, is the same act; another content is another. */
export const useKeyFor = (): ((content: unknown) => string) => {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const json = JSON.stringify(content);
    if (json !== last.current.content) last.current = { content: json, key: newKey() };
    return last.current.key;
  };
};
