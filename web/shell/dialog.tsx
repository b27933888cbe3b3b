import { useEffect, useId, useRef, type MouseEvent, type PointerEvent, type ReactNode } from 'react';
import { useWords } from '../words/words.js';

/** Beside the box: its own padding is not, though the browser names the dialog as the target of both. */
const beside = (event: PointerEvent | MouseEvent, box: HTMLElement): boolean => {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  return event.target === box && (event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom);
};

/** A modal question. The browser keeps the focus inside and gives it back; Escape and a tap beside it close it. */
export const Dialog = ({
  title,
  close,
  children,
  className,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
  className?: string;
}): ReactNode => {
  const { say } = useWords();
  const heading = useId();
  const box = useRef<HTMLDialogElement>(null);
  // A tap closes it, not text that was marked until beyond its edge.
  const began = useRef(false);
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
    <dialog
      ref={box}
      aria-labelledby={heading}
      className={className}
      onCancel={(event) => {
        // React lets it rise from a dialog inside this one.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onPointerDown={(event) => {
        began.current = beside(event, event.currentTarget);
      }}
      onClick={(event) => {
        if (began.current && beside(event, event.currentTarget)) close();
      }}
    >
      <div className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="button slim" onClick={close} aria-label={say('web.close')}>
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
};
