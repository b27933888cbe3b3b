import type { ReactNode } from 'react';
import type { OpsOverview } from '../../contracts/operations.js';
import { useWords } from '../words/words.js';
import { MARK, type Tone } from './part.js';

/** The first row of the operator's page: what needs a look. */

const Tile = ({ tone, href, name, text }: { tone: Tone; href: string; name: string; text: string }): ReactNode => (
  <li>
    <a className={`ops-tile ${tone}`} href={href}>
      <span className="ops-tile-name">
        <span aria-hidden="true">{MARK[tone]} </span>
        {name}
      </span>
      <span className="ops-tile-text">{text}</span>
    </a>
  </li>
);

/** What needs a look, in six words each. */
export const Tiles = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, lasted } = useWords();
  const { invariants: inv, unconfirmed, outbox, limiter, runs } = o;
  const paused = limiter.providers.find((p) => p.paused_ms > 0);
  return (
    <ul className="ops-tiles plain">
      <Tile
        tone={inv.ok === null ? 'warn' : inv.ok ? 'good' : 'bad'}
        href="#invariantes"
        name={say('web.ops.invariants')}
        text={
          inv.ok === null
            ? say('web.ops.invariants.unknown')
            : inv.ok
              ? say('web.ops.invariants.ok', { n: inv.checked })
              : say('web.ops.invariants.broken', { n: inv.broken.length, total: inv.checked })
        }
      />
      <Tile
        tone={runs.idle.n > 0 ? 'bad' : 'good'}
        href="#sin-avance"
        name={say('web.ops.idle')}
        text={
          runs.idle.n > 0
            ? say('web.ops.idle.tile', { n: runs.idle.n, lasted: lasted(runs.idle.longest_ms) })
            : say('web.ops.none_open', { n: runs.open })
        }
      />
      <Tile
        tone={unconfirmed.needs_operator > 0 ? 'bad' : unconfirmed.n > 0 ? 'warn' : 'good'}
        href="#por-confirmar"
        name={say('web.ops.unconfirmed')}
        text={
          unconfirmed.n > 0
            ? say('web.ops.unconfirmed.tile', { n: unconfirmed.n, mine: unconfirmed.needs_operator })
            : say('web.ops.nothing')
        }
      />
      <Tile
        tone={paused ? 'warn' : 'good'}
        href="#proveedor"
        name={say('web.ops.limiter')}
        text={
          paused
            ? say('web.ops.limiter.paused', { lasted: lasted(paused.paused_ms) })
            : say('web.ops.limiter.tile', { n: limiter.in_use, total: limiter.concurrency })
        }
      />
      <Tile
        tone={outbox.failing > 0 ? 'bad' : outbox.pending > 0 && outbox.oldest_ms > 60_000 ? 'warn' : 'good'}
        href="#entregas"
        name={say('web.ops.outbox')}
        text={
          outbox.failing > 0 ? say('web.ops.outbox.failing', { n: outbox.failing }) : say('web.ops.outbox.pending', { n: outbox.pending })
        }
      />
    </ul>
  );
};
