import { z } from 'zod';
import { resultOf, tool } from './common.js';

/** One topic of the team's playbook, without its text. `score` is only comparable inside one answer. */
export const Topic = z.object({
  ref: z.string(),
  topic_id: z.string(),
  title: z.string(),
  summary: z.string(),
  updated_on: z.iso.date(),
  score: z.number(),
});
export type Topic = z.infer<typeof Topic>;

/** Finds playbook topics by words. No topic is a valid answer: `total` 0. */
export const contextRetrieve = tool({
  name: 'context_retrieve',
  description: "The team's playbook topics that match the words; says so when there is none.",
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ query: z.string().min(1).max(300), limit: z.int().min(1).max(12).default(5), cursor: z.string().max(500).optional() }),
  output: resultOf({ topics: z.array(Topic) }),
});

/** The text of one topic. `not_found` for an unknown one. */
export const contextGet = tool({
  name: 'context_get',
  description: 'The text of one playbook topic.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({ topic_id: z.string().max(120) }),
  output: resultOf({ topic: Topic.omit({ score: true }).extend({ body: z.string() }) }),
});
