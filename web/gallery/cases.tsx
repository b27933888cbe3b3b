import type { ReactNode } from 'react';
import { ProcessCardView } from '../card/process-card-view.js';
import { RunMenu } from '../card/run-menu.js';
import { EmptyView } from '../chat/empty.js';
import { HistoryView } from '../chat/history-list.js';
import { ResultCardView } from '../chat/result-card.js';
import { WaitStripView } from '../chat/runs.js';
import { OutgoingView, TurnView, type TurnActs } from '../chat/turn.js';
import { ApiProblem, NoAnswer } from '../data/problem.js';
import { DecisionView, type Answer } from '../decisions/decision-view.js';
import { InboxTabsView } from '../decisions/inbox.js';
import { InboxListView } from '../decisions/inbox/list.js';
import { NetView } from '../decisions/inbox/net.js';
import { DecisionHistoryView, DecisionRunView } from '../decisions/screen.js';
import type { TapState } from '../decisions/use-tap.js';
import { AuditView } from '../ops/audit.js';
import { OpsView } from '../ops/screen.js';
import { AccountView } from '../runs/accounts.js';
import { RunsView, type RunsViewProps } from '../runs/list.js';
import { MissingView, type MissingActs } from '../runs/missing.js';
import { EstimateView } from '../runs/estimate.js';
import { ReceiptView } from '../runs/receipt.js';
import { TimelineView } from '../runs/timeline.js';
import { ApproveView } from '../sequences/approve.js';
import { DraftEditorView, type EditorProps } from '../sequences/editor.js';
import { DraftListView } from '../sequences/list.js';
import { SequenceHeadView } from '../sequences/screen.js';
import { StoredView, type StoredViewProps } from '../sequences/stored.js';
import { DeviceView } from '../settings/device.js';
import { AddExclusionsView, ExclusionTableView } from '../settings/exclusion-list.js';
import { WorkspaceView } from '../settings/workspace.js';
import { LeaveEverywhereView } from '../shell/leave-everywhere.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import * as chat from './fixtures/chat.js';
import * as decisions from './fixtures/decisions.js';
import * as ops from './fixtures/ops.js';
import * as runs from './fixtures/runs.js';
import * as sequences from './fixtures/sequences.js';
import { AT } from './fixtures/text.js';
import type { Group } from './groups.js';

/** One state of one component. Ids are what tests and pictures are named by. */
export interface Case {
  id: string;
  show: () => ReactNode;
}

const nothing = (): void => undefined;
const settled = (): Promise<void> => Promise.resolve();
const never = <T,>(): Promise<T> => new Promise<T>(() => undefined);
const cases = (named: Record<string, () => ReactNode>): Case[] => Object.entries(named).map(([id, show]) => ({ id, show }));
const each = <T,>(of: Record<string, T>, show: (one: T) => ReactNode): Case[] =>
  Object.entries(of).map(([id, one]) => ({ id, show: () => show(one) }));

const answer = (state: TapState = { is: 'idle' }, acting: Answer['acting'] = null): Answer => ({
  state,
  acting,
  send: nothing,
  recheck: nothing,
  undo: nothing,
  reopen: nothing,
  everything: never,
});
const card = (id: string): ReactNode => {
  const decision = decisions.BY_ID[id];
  return decision ? <DecisionView decision={decision} answer={answer()} /> : null;
};
const processCard = (snapshot: ReturnType<typeof runs.snapshot>, notice: string | null = null): ReactNode => (
  <ProcessCardView
    snapshot={snapshot}
    balances={runs.balances}
    start={snapshot.progress?.state === 'ready' ? decisions.start : null}
    menu={snapshot.progress ? <RunMenu progress={snapshot.progress} /> : null}
    notice={notice}
    decision={card}
    openMissing={nothing}
  />
);
const Refused = (): ReactNode =>
  processCard(runs.snapshot(runs.RUNS.waiting_decision), useWords().say('price_changed', { shown: 32, now: 40 }));
const offlineSince = Date.parse(AT) - 90_000;

const turnActs: TurnActs = { say: nothing, showRun: nothing, showDecision: nothing, stop: nothing, edit: nothing, tools: never };
const list: RunsViewProps = {
  phase: 'all',
  runs: runs.summaries,
  above: 0,
  state: 'shown',
  more: 'some',
  choose: nothing,
  showAbove: nothing,
  showMore: nothing,
  retry: nothing,
  start: nothing,
};
const missingActs: MissingActs = {
  recheck: settled,
  copyLink: settled,
  link: 'https://campana.example.com/campanas/run_1',
  retry: nothing,
  close: nothing,
};
const about = {
  run: 'run_completed_partial',
  final: true,
  roles: ['seller', 'operator'] as const,
  topup: 'https://proveedor.example.com/recargar',
};
const inbox = (tab: 'open' | 'resolved', latest: typeof decisions.OPEN): ReactNode => (
  <InboxListView
    tab={tab}
    tools={null}
    latest={latest}
    card={card}
    denied={null}
    more={{ there: true, loading: false, load: nothing }}
    reject={nothing}
    picked={new Set(['dec_save'])}
    setPicked={nothing}
  />
);
const stored = (more: Partial<StoredViewProps>): ReactNode => (
  <StoredView
    stored={sequences.storedAnew}
    approval={sequences.approval('stored')}
    own
    may
    busy={false}
    failure={null}
    resume={nothing}
    {...more}
  />
);
const editor = (more: Partial<EditorProps>): ReactNode => (
  <DraftEditorView
    draft={sequences.draft}
    position={3}
    total={44}
    go={nothing}
    local={null}
    standing="saved"
    saving={false}
    failure={null}
    closed={false}
    edit={nothing}
    save={nothing}
    keepMine={nothing}
    takeTheirs={nothing}
    {...more}
  />
);
const opsView = (overview: typeof ops.calm, stale = false): ReactNode => (
  <OpsView
    overview={overview}
    stale={stale}
    all={ops.invariants}
    checking={false}
    check={nothing}
    settle={nothing}
    choose={nothing}
    idle={null}
    runs={null}
    audit={<AuditView entries={ops.audit} />}
  />
);

/** Everything that the page can show, by part. */
export const CASES: Record<Group, Case[]> = {
  campana: [
    ...each(runs.RUNS, (run) => processCard(runs.snapshot(run))),
    ...cases({
      cargando: () => processCard(runs.snapshot(null)),
      no_existe: () => processCard(runs.snapshot(null, { connection: 'gone' })),
      sin_conexion: () => processCard(runs.snapshot(runs.RUNS.running, { connection: 'offline', offlineSince })),
      toque_rechazado: () => <Refused />,
      nombre_raro: () =>
        processCard(runs.snapshot(runs.progress('running', { run_id: 'run_strange', objetivo: sequences.STRANGE_OBJECTIVE }))),
      cinco_mil: () =>
        processCard(
          runs.snapshot(
            runs.progress('running', {
              run_id: 'run_large',
              counts: {
                unit: 'account',
                total: 5_000,
                done: 3_214,
                running: 10,
                pending: 1_500,
                not_found: 200,
                suppressed: 40,
                skipped: 30,
                failed: 6,
              },
            }),
          ),
        ),
    }),
  ],
  decision: [
    ...each(
      {
        empezar: decisions.start,
        empezar_no_alcanza: decisions.startShort,
        guardar: decisions.save,
        revelar: decisions.reveal,
        revelar_no_alcanza: decisions.revealShort,
        revelar_precios: decisions.revealRange,
        revisar: decisions.review,
        nombres_raros: decisions.strange,
        aprobada: decisions.approved,
        guardada: decisions.saved,
        rechazada: decisions.declined,
        caducada: decisions.expired,
        sustituida: decisions.superseded,
      },
      (decision) => <DecisionView decision={decision} answer={answer()} />,
    ),
    ...cases({
      enviando: () => <DecisionView decision={{ ...decisions.reveal, id: 'dec_sending' }} answer={answer({ is: 'sending' })} />,
      sin_respuesta: () => <DecisionView decision={{ ...decisions.reveal, id: 'dec_unknown' }} answer={answer({ is: 'unknown' })} />,
      leyendo_saldo: () => (
        <DecisionView decision={{ ...decisions.revealShort, id: 'dec_reading' }} answer={answer({ is: 'idle' }, 'recheck')} />
      ),
      precio_cambio: () => (
        <DecisionView
          decision={{ ...decisions.superseded, id: 'dec_price' }}
          answer={answer({ is: 'refused', error: new ApiProblem(409, 'price_changed', {}, '', false, null, 'dec_reveal') })}
        />
      ),
      ya_resuelta: () => (
        <DecisionView
          decision={{ ...decisions.approved, id: 'dec_lost' }}
          answer={answer({
            is: 'refused',
            error: new ApiProblem(
              409,
              'already_resolved',
              { outcome: 'approved', option: 'all', n: 46, by: 'Luis', channel: 'web', at: AT },
              '',
              false,
              null,
              null,
            ),
          })}
        />
      ),
    }),
  ],
  chat: [
    ...each(chat.TURNS, (turn) => (
      <TurnView
        turn={turn}
        live={turn.state === 'running' ? chat.live : undefined}
        choice={null}
        acts={turnActs}
        run={null}
        olderRun={null}
        decision={null}
        latest
        noModel={turn.turn_id === 'turn_done'}
      />
    )),
    ...each(chat.OUTGOING, (message) => <OutgoingView message={message} retry={nothing} edit={nothing} />),
    ...cases({
      campana_anterior: () => (
        <TurnView
          turn={chat.answered}
          live={undefined}
          choice={null}
          acts={turnActs}
          run={null}
          olderRun="run_running"
          decision={null}
          latest={false}
          noModel={false}
        />
      ),
      vacia: () => <EmptyView noRuns start={nothing} />,
      espera_tu_toque: () => <WaitStripView decision={decisions.reveal} more={1} go={nothing} />,
      conversaciones: () => (
        <HistoryView
          threads={[
            { thread_id: 'thr_1', title: 'Empaque en Jalisco', created_at: AT, last_turn_at: AT },
            { thread_id: 'thr_2', title: null, created_at: AT, last_turn_at: null },
          ]}
          here="thr_1"
          more={nothing}
          pick={nothing}
        />
      ),
    }),
  ],
  resultados: [
    ...each(chat.CARDS, (one) => <ResultCardView card={one} />),
    ...cases({
      elegibles: () => (
        <ResultCardView
          card={chat.CARDS['lista'] ?? sequences.nothingToShow()}
          choice={{ refs: new Set(['supplier:1']), may: new Set(chat.CARDS['lista']?.rows.map((row) => row.ref)), choose: nothing }}
        />
      ),
    }),
  ],
  campanas: cases({
    lista: () => <RunsView {...list} above={2} />,
    vacia: () => <RunsView {...list} runs={[]} more="none" />,
    cargando: () => <RunsView {...list} runs={[]} state="loading" more="none" />,
    fallo: () => <RunsView {...list} runs={[]} state="failed" error={new NoAnswer()} more="none" />,
    estimado: () => <EstimateView plan={runs.estimate} />,
    recibo: () => <ReceiptView receipt={runs.receipt} showMissing={nothing} />,
    cuentas: () => (
      <div>
        {runs.items.map((item) => (
          <AccountView key={item.item_id} item={item} />
        ))}
      </div>
    ),
    linea_de_tiempo: () => <TimelineView timeline={runs.timeline} />,
    linea_borrada: () => <TimelineView timeline={runs.timelineGone} />,
  }),
  faltantes: cases({
    por_motivo: () => <MissingView missing={runs.missing} about={about} acts={missingActs} goOn={null} />,
    en_marcha: () => (
      <MissingView
        missing={{ ...runs.missing, run_id: 'run_running' }}
        about={{ ...about, final: false, topup: null }}
        acts={missingActs}
        goOn={settled}
      />
    ),
    ninguno: () => (
      <MissingView missing={{ ...runs.missing, missing: 0, done: 50, groups: [] }} about={about} acts={missingActs} goOn={null} />
    ),
    doscientos: () => <MissingView missing={runs.missing200} about={about} acts={missingActs} goOn={null} />,
  }),
  bandeja: cases({
    abiertas: () => inbox('open', decisions.OPEN),
    resueltas: () => inbox('resolved', decisions.OVER),
    vacia: () => inbox('open', []),
    pestanas: () => <InboxTabsView view={{ tab: 'open', sort: 'expires' }} counts={{ open: 6, resolved: 3, expired: 0, superseded: 1 }} />,
    alcanza: () => <NetView net={decisions.net(false)} />,
    no_alcanza: () => <NetView net={decisions.net(true)} />,
    campana: () => <DecisionRunView run="run_waiting_decision" objective="50 personas de compras" state="waiting_decision" />,
    historia: () => <DecisionHistoryView decisions={[...decisions.OPEN, ...decisions.OVER]} current="dec_reveal" />,
  }),
  secuencia: cases({
    encabezado: () => (
      <SequenceHeadView sequence={sequences.sequence} progress={runs.RUNS.completed_partial} missing={runs.missing.groups} others={[]} />
    ),
    borradores: () => (
      <DraftListView
        drafts={sequences.sequence.drafts}
        current="draft_2"
        standing={(draft) => (draft.draft_id === 'draft_3' ? 'conflict' : draft.draft_id === 'draft_2' ? 'unsaved' : 'saved')}
        open={nothing}
      />
    ),
    guardado: () => editor({}),
    sin_guardar: () => editor({ local: sequences.local, standing: 'unsaved' }),
    choque: () => editor({ local: sequences.local, standing: 'conflict' }),
    solo_lectura: () => editor({ closed: true }),
    aprobar: () => (
      <ApproveView
        decision={{ ...decisions.review, id: 'dec_approve' }}
        tap={{ state: { is: 'idle' }, send: nothing }}
        unsaved={0}
        stale={false}
        may
        answered={false}
      />
    ),
    se_lee_otra_vez: () => (
      <ApproveView
        decision={{ ...decisions.review, id: 'dec_stale' }}
        tap={{ state: { is: 'idle' }, send: nothing }}
        unsaved={0}
        stale
        may
        answered={false}
      />
    ),
    falta_guardar: () => (
      <ApproveView
        decision={{ ...decisions.review, id: 'dec_unsaved' }}
        tap={{ state: { is: 'idle' }, send: nothing }}
        unsaved={2}
        stale={false}
        may
        answered={false}
      />
    ),
    aprobada: () => (
      <ApproveView
        decision={{ ...decisions.review, id: 'dec_done', state: 'approved', resolved: decisions.approved.resolved }}
        tap={{ state: { is: 'idle' }, send: nothing }}
        unsaved={0}
        stale={false}
        may
        answered={false}
      />
    ),
    guardada: () => stored({}),
    guardandose: () => stored({ stored: sequences.sequence.stored, approval: sequences.approval('under_way') }),
    sin_buzon: () =>
      stored({
        stored: sequences.sequence.stored,
        approval: sequences.approval('hindered', { code: 'sequence.mailbox_missing', params: { n: 44 } }),
      }),
    sin_confirmar: () =>
      stored({
        stored: sequences.sequence.stored,
        approval: sequences.approval('hindered', { code: 'sequence.unconfirmed', params: { n: 44 } }),
        own: false,
        busy: true,
      }),
    no_guardada: () =>
      stored({
        stored: sequences.sequence.stored,
        approval: sequences.approval('not_stored', { code: 'canceled_by_person', params: { by: 'Luis' } }),
      }),
    no_se_sabe: () =>
      stored({ stored: sequences.sequence.stored, approval: sequences.approval('unknown', { code: 'operator_canceled', params: {} }) }),
    con_lote_anterior: () => stored({ stored: { ...sequences.storedAnew, left: 'seq-prov-1' }, own: false }),
  }),
  operacion: cases({ en_calma: () => opsView(ops.calm) }),
  problemas: cases({ con_problemas: () => opsView(ops.trouble, true) }),
  configuracion: cases({
    cuenta: () => <WorkspaceView settings={sequences.settings} may operator save={settled} savedAt="10:42" />,
    solo_lectura: () => <WorkspaceView settings={sequences.settings} may={false} operator={false} save={settled} savedAt={null} />,
  }),
  dispositivo: cases({
    apariencia: () => <DeviceView language="es-MX" chooseLanguage={nothing} theme="system" chooseTheme={nothing} />,
    salir: () => <LeaveEverywhereView ask={nothing} />,
    exclusion: () => <AddExclusionsView add={never} />,
    excluidos: () => (
      <ExclusionTableView
        entries={[
          { id: 'sup_1', kind: 'domain', created_at: AT },
          { id: 'sup_2', kind: 'email', created_at: AT },
        ]}
        denied={null}
        remove={nothing}
      />
    ),
    sin_respuesta: () => <Problem error={new NoAnswer()} retry={nothing} />,
    sin_permiso: () => <Problem error={new ApiProblem(403, 'role_missing', { role: 'operator' }, '', false, null, null)} />,
  }),
};
