import type { ReactNode } from 'react';

export const RunsScreen = (): ReactNode => <h1>…</h1>;
