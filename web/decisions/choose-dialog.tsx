import { useEffect, useMemo, useState, type FormEvent, type ReactNode } from 'react';
import type { Decision } from '../../contracts/decision.js';
import { pickLot, type Lot } from '../../view/lot.js';
import { clean } from '../../view/words.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { useGuard } from './use-guard.js';

interface Props {
  decision: Decision;
  everything: () => Promise<Decision>;
  label: (lot: Lot) => string;
  /** @param shown the card whose prices and names were on the screen */ pick: (lot: Lot, shown: Decision) => void;
  close: () => void;
}

/** How many, on the start card: its first n, with their share of the maximum. */
const HowMany = ({ decision, value, set }: { decision: Decision; value: string; set: (value: string) => void }): ReactNode => {
  const { say } = useWords();
  const max = decision.options.find((o) => o.id === 'choose')?.n ?? 1;
  return (
    <>
      <label htmlFor="how-many">{say('web.choose.how_many', { max })}</label>
      <input
        id="how-many"
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        step={1}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    </>
  );
};

/** Which or how many of a card; the button says the price of just those. */
export const ChooseDialog = ({ decision, everything, label, pick, close }: Props): ReactNode => {
  const { say, amount } = useWords();
  const byNumber = decision.kind === 'ajustar_presupuesto';
  const lot = decision.options.find((o) => o.id === 'choose');
  const [n, setN] = useState(String(lot?.n ?? 1));
  const [full, setFull] = useState<Decision | null>(byNumber ? decision : null);
  const [failure, setFailure] = useState<unknown>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (byNumber) return;
    everything().then((d) => {
      setFull(d);
      // The lot that fits, as a start.
      setChosen(new Set(d.items.slice(0, d.options.find((o) => o.id === 'choose')?.n ?? 0).map((item) => item.ref)));
    }, setFailure);
    // Read once, when it opens: the list must not change under the person who ticks.
  }, []);
  const ready = useGuard(full ? 'list' : 'empty');
  const picked = useMemo(
    () => (full ? pickLot(full, byNumber ? { n: Number(n) } : { refs: [...chosen] }) : null),
    [full, byNumber, n, chosen],
  );
  // Answered or priced anew since: what is listed here is not on offer any more.
  const current = !full || (decision.state === 'open' && full.state === 'open' && decision.payload_hash === full.payload_hash);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready() && full && current && picked && 'lot' in picked) pick(picked.lot, full);
  };
  const toggle = (ref: string): void =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(ref)) after.add(ref);
      return after;
    });
  return (
    <Dialog title={say(byNumber ? 'view.button.choose_n' : 'view.button.choose')} close={close}>
      <form onSubmit={submit} noValidate>
        {byNumber ? <HowMany decision={decision} value={n} set={setN} /> : null}
        {failure ? <Problem error={failure} /> : null}
        {!byNumber && full ? (
          <>
            <p className="quiet">{say('web.choose.chosen', { n: chosen.size, total: full.items.length })}</p>
            <ul className="choose-list plain">
              {full.items.map((item) => (
                <li key={item.ref}>
                  <label>
                    <input type="checkbox" checked={chosen.has(item.ref)} onChange={() => toggle(item.ref)} />
                    <span>
                      <bdi className="clamp">{clean(item.label) || '—'}</bdi>
                      {item.detail ? (
                        <span className="quiet clamp">
                          <bdi>{clean(item.detail)}</bdi>
                        </span>
                      ) : null}
                    </span>
                    <span className="quiet">
                      {item.already_yours
                        ? say('view.decision.yours')
                        : item.price > 0
                          ? amount('credits', item.price)
                          : say('cost.gratis')}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {!full && !failure ? <p className="quiet">{say('web.loading')}</p> : null}
        {current ? null : (
          <p className="notice warn" role="alert">
            {say('web.choose.moved')}
          </p>
        )}
        {picked && 'refused' in picked ? <p className="notice warn">{say(picked.refused, picked.params)}</p> : null}
        <div className="buttons">
          <button type="submit" className="button main" aria-disabled={!current || !picked || !('lot' in picked)}>
            {picked && 'lot' in picked ? label(picked.lot) : say('web.choose.nothing')}
          </button>
          <button type="button" className="button" onClick={close}>
            {say('web.back')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
