import { contextGet, contextRetrieve } from '../../contracts/tools/index.js';
import { page } from '../cursor.js';
import { notFound } from '../failure.js';
import { implement } from '../runtime.js';
import { fold, stems } from '../text.js';

export const contextRetrieveTool = implement(contextRetrieve, (args, context) => {
  const wanted = new Set(stems(args.query));
  // A word in the title says more than one in the summary, and that more than one in the text.
  const scored = context.library.topics
    .map((topic) => {
      const parts: [Set<string>, number][] = [
        [new Set(stems(topic.title)), 4],
        [new Set(stems(topic.summary)), 2],
        [new Set(stems(topic.body)), 1],
      ];
      let score = 0;
      for (const word of wanted) for (const [words, weight] of parts) if (words.has(word)) score += weight;
      return { topic, score };
    })
    .filter((s) => s.score > 0)
    .sort((a, b) => b.score - a.score || a.topic.pos - b.topic.pos);
  const { rows, meta } = page(scored, args.limit, args.cursor, ['context_retrieve', fold(args.query)]);
  return {
    ref: context.ref('cx'),
    ...meta,
    topics: rows.map(({ topic, score }) => ({
      ref: `record:${topic.topic_id}`,
      topic_id: topic.topic_id,
      title: topic.title,
      summary: topic.summary,
      updated_on: topic.updated_on,
      score,
    })),
    coverage: `The ${context.library.topics.length} topics of the playbook`,
  };
});

export const contextGetTool = implement(contextGet, (args, context) => {
  const topic = context.library.topics.find((t) => t.topic_id === args.topic_id);
  if (!topic) throw notFound('Topic');
  const { topic_id, title, summary, body, updated_on } = topic;
  return {
    ref: context.ref('cg'),
    shown: 1,
    total: 1,
    has_more: false,
    next_cursor: null,
    topic: { ref: `record:${topic_id}`, topic_id, title, summary, body, updated_on },
    coverage: 'One topic of the playbook',
  };
});
