import type { ReactNode } from 'react';

export const SettingsScreen = (): ReactNode => <h1>…</h1>;
