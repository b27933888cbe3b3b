import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useWords } from '../words/words.js';

/** A modal question. The browser keeps the focus inside and gives it back; Escape and a tap beside it close it. */
export const Dialog = ({ title, close, children, className }: { title: string; close: () => void; children: ReactNode; className?: string }): ReactNode => {
  const { say } = useWords();
  const heading = useId();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={box} aria-labelledby={heading} className={className} onCancel={(event) => {
      event.preventDefault();
      close();
    }} onClick={(event) => {
      if (event.target === box.current) close();
    }}>
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="button slim" onClick={close} aria-label={say('web.close')}>×</button>
      </div>
      {children}
    </dialog>
  );
};
