import type { ReactNode } from 'react';

export const DecisionsScreen = (): ReactNode => <h1>…</h1>;
