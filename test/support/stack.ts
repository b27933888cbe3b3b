import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack, type StackOptions } from '../../stack/up.js';

/** A folder under the temporary one that PostgreSQL's user can enter, and a way to remove it. */
export const temporaryFolder = async (name = 'campana-try-'): Promise<{ path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), name));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/**
 * A whole stack of one's own for a test: random ports, throw-away state, two workspaces with tool tokens (`ws_demo`, `ws_otro`), the
 * kitchen's control port open, no UI. `stop` removes the state too.
 */
export const startTestStack = async (options: StackOptions = {}): Promise<Stack> => {
  const folder = await temporaryFolder('campana-test-');
  const lines: string[] = [];
  try {
    const stack = await startStack({
      stateDir: folder.path,
      ports: 'random',
      faults: true,
      ui: false,
      durable: false,
      workspaces: ['ws_otro'],
      say: (line) => void lines.push(line),
      ...options,
    });
    // Not a copy: `pids` is read when asked for.
    return Object.create(stack, {
      stop: {
        value: async () => {
          await stack.stop();
          await folder.remove();
        },
      },
    }) as Stack;
  } catch (error) {
    await folder.remove();
    throw new Error(`${(error as Error).message}\n${lines.join('\n')}`, { cause: error });
  }
};
