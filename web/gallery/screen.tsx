import type { ReactNode } from 'react';

export const GalleryScreen = (): ReactNode => <h1>…</h1>;
