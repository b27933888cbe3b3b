import type { ReactNode } from 'react';

export const SequenceScreen = ({ id: _id }: { id: string }): ReactNode => <h1>…</h1>;
