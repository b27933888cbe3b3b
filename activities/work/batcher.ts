/**
 * Gathers what lanes of one process bring while a transaction is under way into the next one: one at a time per key, as many
 * entries as there are. A lane waits for its own answer only.
 */
export const batcher = <Entry, Answer>(run: (key: string, entries: Entry[]) => Promise<Answer[]>) => {
  const queues = new Map<
    string,
    { waiting: Array<{ entry: Entry; resolve: (a: Answer) => void; reject: (e: unknown) => void }>; busy: boolean }
  >();

  const pump = async (key: string): Promise<void> => {
    const queue = queues.get(key);
    if (!queue || queue.busy) return;
    queue.busy = true;
    try {
      while (queue.waiting.length > 0) {
        const batch = queue.waiting.splice(0);
        try {
          const answers = await run(
            key,
            batch.map((b) => b.entry),
          );
          batch.forEach((b, i) => {
            b.resolve(answers[i] as Answer);
          });
        } catch (error) {
          for (const b of batch) b.reject(error);
        }
      }
    } finally {
      queue.busy = false;
      if (queue.waiting.length === 0) queues.delete(key);
    }
  };

  return (key: string, entry: Entry): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      let queue = queues.get(key);
      if (!queue) queues.set(key, (queue = { waiting: [], busy: false }));
      queue.waiting.push({ entry, resolve, reject });
      // The rest of this turn of the event loop may bring more.
      setImmediate(() => void pump(key));
    });
};
