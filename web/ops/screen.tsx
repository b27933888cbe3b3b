import type { ReactNode } from 'react';

export const OpsScreen = (): ReactNode => <h1>…</h1>;
