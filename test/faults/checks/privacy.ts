import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { World } from '../world.js';

/** Shapes that have no business outside the database: addresses and telephones of the sample, company RFCs, signed tokens. */
const SHAPES: Array<[what: string, shape: RegExp]> = [
  ['an e-mail', /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.example/],
  ['a telephone', /\+52 \d{2,3} 000 \d{4}/],
  ['an RFC', /\b[A-ZÑ&]{3}\d{6}[A-Z1-9]{2}[\dA]\b/],
  ['a token', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/],
];
/** Shorter texts are parts of ordinary words. */
const LONG_ENOUGH = 6;

interface Needle {
  kind: 'person' | 'company' | 'secret';
  text: string;
}

/** What was used in this scenario and must not be found: people, companies, secrets. */
const needlesOf = async (world: World): Promise<Needle[]> => {
  const people = await world.rows<{ v: string | null }>(
    `select unnest(array[name, email, phone]) as v from contacts where workspace_id = $1`,
    [world.workspace],
  );
  const companies = await world.rows<{ v: string | null }>(
    `select unnest(array[name, rfc, domain]) as v from accounts where workspace_id = $1`,
    [world.workspace],
  );
  const passwords = Object.values(world.stack.databases).flatMap((url: string | undefined) => (url ? [new URL(url).password] : []));
  const tools = Object.values(
    JSON.parse(world.stack.env['TOOLS_TOKENS'] ?? '{}') as Record<string, { read: string; paid: string }>,
  ).flatMap((t) => [t.read, t.paid]);
  const secrets = [world.api.token, world.stack.token, world.stack.env['KITCHEN_CONTROL_TOKEN'] ?? '', ...passwords, ...tools];
  const needles = [
    ...people.map((r) => ({ kind: 'person' as const, text: r.v ?? '' })),
    ...companies.map((r) => ({ kind: 'company' as const, text: r.v ?? '' })),
    ...secrets.map((text) => ({ kind: 'secret' as const, text })),
  ];
  return [...new Map(needles.filter((n) => n.text.trim().length >= LONG_ENOUGH).map((n) => [n.text, n])).values()];
};

/** Every text inside a value, bytes (payloads) decoded; JSON inside payloads is searched as text, escaped and not. */
const textsOf = (value: unknown, into: string[] = []): string[] => {
  if (typeof value === 'string') into.push(value);
  else if (value instanceof Uint8Array) {
    const text = Buffer.from(value).toString('utf8');
    into.push(text);
    if (text.includes('\\u'))
      try {
        into.push(JSON.stringify(JSON.parse(text)));
      } catch {
        /* not JSON: searched as it is */
      }
  } else if (Array.isArray(value)) for (const item of value) textsOf(item, into);
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value as Record<string, unknown>)) textsOf(item, into);
  return into;
};

const findIn = (where: string, text: string, needles: Needle[]): string[] => [
  // What was found is not repeated: this text ends up in a log too.
  ...needles
    .filter((n) => text.includes(n.text))
    .slice(0, 3)
    .map((n) => `I15 ${where} contains a ${n.kind} text of ${n.text.length} characters`),
  ...SHAPES.filter(([, shape]) => shape.test(text)).map(([what, shape]) => `I15 ${where} contains ${what} (…${around(text, shape)}…)`),
];
const CONTEXT = 60;
const around = (text: string, shape: RegExp): string => {
  const at = shape.exec(text)?.index ?? 0;
  return text.slice(Math.max(0, at - CONTEXT), at).replaceAll(/\s+/g, ' ');
};

const readFrom = async (file: string, from: number): Promise<string> => {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    // A log that was rotated meanwhile is read whole.
    const start = from > size ? 0 : from;
    const bytes = Buffer.alloc(size - start);
    await handle.read(bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  } finally {
    await handle.close();
  }
};

/** I15: no personal data and no secret in histories (payloads, memo, search attributes, failures), logs and problem bodies. */
export const privacyProblems = async (world: World, infos: WorkflowExecutionInfo[]): Promise<string[]> => {
  const needles = await needlesOf(world);
  const problems: string[] = [];
  for (const info of infos) {
    const handle = world.temporal.workflow.getHandle(info.workflowId, info.runId);
    const [history, described] = await Promise.all([handle.fetchHistory(), handle.describe()]);
    problems.push(
      ...findIn(
        `the history of ${info.workflowId}`,
        [...textsOf(history), ...textsOf([described.raw, described.memo])].join('\n'),
        needles,
      ),
    );
  }
  for (const file of await world.logFiles()) problems.push(...findIn(basename(file), await readFrom(file, world.logStart(file)), needles));
  // A refusal may bring a fresh card, and a card names companies: of people and secrets it has nothing.
  problems.push(
    ...findIn(
      'a problem body',
      world.api.refusals.join('\n'),
      needles.filter((n) => n.kind !== 'company'),
    ),
  );
  return problems;
};
