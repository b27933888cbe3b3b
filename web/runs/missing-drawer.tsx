import { lazy, Suspense, type ReactNode } from 'react';

const Drawer = lazy(async () => ({ default: (await import('./missing.js')).MissingPanel }));

export interface MissingDrawerProps {
  run: string;
  open: boolean;
  onClose: () => void;
}

/** What a run did not get, by reason, each with a way out; beside the screen, modal. Loaded when somebody opens it. */
export const MissingDrawer = ({ run, open, onClose }: MissingDrawerProps): ReactNode =>
  open ? (
    <Suspense fallback={null}>
      <Drawer run={run} close={onClose} />
    </Suspense>
  ) : null;
