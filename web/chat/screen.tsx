import type { ReactNode } from 'react';

export const ChatScreen = ({ thread: _thread }: { thread: string | null }): ReactNode => <h1>…</h1>;
