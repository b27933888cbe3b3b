import pc from 'picocolors';

/** One line of progress for people. Always stderr: stdout belongs to data. */
export type Say = (line: string) => void;

export const sayOnStderr: Say = (line) => void process.stderr.write(`${line}\n`);
export const silent: Say = () => undefined;

/** Colour only where stderr is a terminal and NO_COLOR is not set. */
const colour = pc.createColors(Boolean(process.stderr.isTTY) && !process.env['NO_COLOR']);

/** `  ✓ postgres    0.84 s  127.0.0.1:55433` */
export const readyLine = (part: string, ms: number, detail: string): string =>
  `  ${colour.green('✓')} ${part.padEnd(11)} ${(ms / 1000).toFixed(2).padStart(5)} s  ${colour.dim(detail)}`;

/** `  ! worker      ended with code 1; starting it again in 0.5 s` */
export const troubleLine = (part: string, detail: string): string => `  ${colour.yellow('!')} ${part.padEnd(11)} ${detail}`;
