import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { createChooser } from '../../ada/library/choose/choose.js';
import { corpusDigest, readCases, readRequests } from './cases.js';
import { library200, platformSnapshot } from './library-200.js';
import { html, retrievalFigures, routingFigures, table, type RetrievalReport, type RoutingReport } from './report.js';
import { retrievalScore, runRequests } from './retrieval.js';
import { runCases, scoreOf } from './score.js';

export const AIM = { tuned: 0.95, sealed: 0.92 } as const;
const SCORE_FILE = new URL('sealed.score.json', import.meta.url);

/** What was seen of the sealed half, when, and of which library: the tests read this instead of the messages. */
export const SealedScore = z.object({
  scored_on: z.iso.date(),
  corpus: z.string(),
  library: z.string(),
  cases: z.int(),
  top1: z.number(),
  none_right: z.number(),
  forbidden_fires: z.int(),
  injected: z.int(),
  injected_right: z.number(),
});
export const readSealedScore = (): z.infer<typeof SealedScore> => SealedScore.parse(JSON.parse(readFileSync(SCORE_FILE, 'utf8')));

export const routingReport = async (corpus: 'tuned' | 'sealed'): Promise<RoutingReport & { library: string }> => {
  const snapshot = await platformSnapshot();
  const chooser = createChooser(snapshot);
  // Learning is not part of a turn.
  chooser.choose('hola', { access: { scopes: { account: 'evals' }, rows: [], integrations: null, capabilities: null } });
  const scored = runCases(chooser, readCases(corpus));
  return {
    corpus,
    digest: corpusDigest(corpus),
    library: snapshot.digest,
    routing: scoreOf(scored),
    wrong: scored.filter((s) => !s.right || s.forbidden.length > 0),
  };
};

export const retrievalReport = async (which: 'mix' | 'hard'): Promise<RetrievalReport> => {
  const snapshot = await library200();
  const chooser = createChooser(snapshot);
  chooser.choose('hola', { access: { scopes: { account: 'evals' }, rows: [], integrations: null, capabilities: null } });
  const rows = runRequests(chooser, readRequests(which));
  return { skills: snapshot.skills.size, retrieval: retrievalScore(rows), wrong: rows.filter((row) => row.place !== 0) };
};

/** `--sealed` scores the sealed half too and writes its figures down; without it that file is not opened. */
export const routingMain = async (args: readonly string[]): Promise<void> => {
  const sealed = args.includes('--sealed');
  const at = args.indexOf('--html');
  const say = (line: string): void => void process.stdout.write(`${line}\n\n`);
  const tuned = await routingReport('tuned');
  say(table('Routing, tuned half', routingFigures(tuned.routing, AIM.tuned)));
  const parts: Array<RoutingReport & { aim: number; examples: boolean }> = [{ ...tuned, aim: AIM.tuned, examples: true }];
  if (sealed) {
    const part = await routingReport('sealed');
    say(table('Routing, sealed half', routingFigures(part.routing, AIM.sealed)));
    parts.push({ ...part, aim: AIM.sealed, examples: false });
    const { routing } = part;
    const score: z.infer<typeof SealedScore> = {
      scored_on: new Date().toISOString().slice(0, 10),
      corpus: part.digest,
      library: part.library,
      cases: routing.asked + routing.none,
      top1: round(routing.top1),
      none_right: round(routing.noneRight),
      forbidden_fires: routing.forbiddenFires,
      injected: routing.injected,
      injected_right: round(routing.injectedRight),
    };
    writeFileSync(SCORE_FILE, `${JSON.stringify(score, null, 2)}\n`);
  }
  const mix = await retrievalReport('mix');
  say(table(`Retrieval among ${mix.skills} skills, a real mix of requests`, retrievalFigures(mix.retrieval)));
  const hard = await retrievalReport('hard');
  say(
    table(
      `Retrieval among ${hard.skills} skills, requests that avoid the words of the examples (no aim)`,
      retrievalFigures(hard.retrieval).map((figure) => ({ ...figure, ok: null, aim: '' })),
    ),
  );
  const path = args[at + 1];
  if (at !== -1 && path) writeFileSync(path, html({ routing: parts, retrieval: [mix, hard] }));
};

const round = (share: number): number => Math.round(share * 10_000) / 10_000;
