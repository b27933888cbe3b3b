import { useEffect, type ReactNode } from 'react';

/**
 * What holds the focus may go away under it: a button whose card was answered elsewhere, a list that emptied. The focus then goes to the
 * nearest part around it that is still there, not to the top of the page. Nothing else here moves it.
 */
export const FocusKeeper = (): ReactNode => {
  useEffect(() => {
    /** What has the focus, and what is around it, from the inside out. */
    let path: HTMLElement[] = [];
    const entered = (event: FocusEvent): void => {
      path = [];
      for (let at = event.target as Element | null; at instanceof HTMLElement; at = at.parentElement) path.push(at);
    };
    const left = (event: FocusEvent): void => {
      // It went because the person clicked beside it, not because it was taken away.
      if (event.relatedTarget === null)
        queueMicrotask(() =>
          path[0]?.isConnected && document.activeElement === document.body && document.hasFocus() ? (path = []) : undefined,
        );
    };
    const changed = new MutationObserver(() => {
      const [last] = path;
      if (!last || last.isConnected || (document.activeElement !== null && document.activeElement !== document.body)) return;
      path
        .find((one) => one.isConnected && one !== document.body && (one.tabIndex >= 0 || one.hasAttribute('tabindex')))
        ?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', entered);
    document.addEventListener('focusout', left);
    changed.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', entered);
      document.removeEventListener('focusout', left);
      changed.disconnect();
    };
  }, []);
  return null;
};
