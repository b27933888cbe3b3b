import { createHash } from 'node:crypto';
import { ROOT } from '../../stack/paths.js';
import type { Model } from '../../ada/ports/model.js';
import { MANUAL } from '../../ada/manual.js';
import { platform, setUp } from './arms.js';
import { scanFolder } from './blocking/source-scan.js';
import { briefsDigest, type Brief } from './brief.js';
import type { Arm, Dump } from './dump.js';
import { judgeByModel } from './judge.js';
import { DEADLINE_MS, runBrief } from './rig.js';
import { probeUndo } from './undo-probe.js';
import type { World } from './world.js';

export interface Order {
  world: World;
  model: Model;
  escalation?: Model | null;
  judge?: Model | null;
  briefs: readonly Brief[];
  arms: readonly Arm[];
  k: number;
  signal: AbortSignal;
  deadlineMs?: number;
  say?: (line: string) => void;
}

/** Every brief in every arm, k times, one after the other: two at once would share balances and clocks. */
export const runAll = async (order: Order): Promise<Dump> => {
  const { world, model, briefs, arms, k, signal } = order;
  const snapshot = await platform();
  const judge = order.judge ?? null;
  const [source, undo] = await Promise.all([scanFolder(ROOT, 'ada'), probeUndo(world)]);
  const dump: Dump = {
    version: 1,
    at: new Date().toISOString(),
    model: model.name,
    kind: model.kind,
    judge: judge?.name ?? null,
    node: process.version,
    digests: { briefs: briefsDigest(), library: snapshot.digest, manual: createHash('sha256').update(MANUAL).digest('hex') },
    deadline_ms: order.deadlineMs ?? DEADLINE_MS,
    k,
    arms: [...arms],
    probes: { source, undo },
    runs: [],
  };
  for (const arm of arms) {
    const setup = await setUp(arm, snapshot);
    for (const brief of briefs)
      for (let i = 0; i < k; i++) {
        if (signal.aborted) return dump;
        const run = await runBrief(brief, {
          world,
          model,
          escalation: order.escalation ?? null,
          arm,
          setup,
          k: i,
          signal,
          ...(order.deadlineMs ? { deadlineMs: order.deadlineMs } : {}),
          ...(judge ? { judge: (turn, expect) => judgeByModel(judge, turn, expect, signal) } : {}),
        });
        dump.runs.push(run);
        order.say?.(`${arm} ${brief.id}${k > 1 ? ` ${i + 1}/${k}` : ''}: ${run.outcome}${run.error ? ` (${run.error})` : ''}`);
      }
  }
  return dump;
};
