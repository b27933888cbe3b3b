// Made by `npm run openapi` from /openapi.json. Do not edit.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether everything a campaign needs is there */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is calling */
        get: operations["getSession"];
        put?: never;
        /** Exchange the bearer token, or the code of a link that was printed on this machine, for a cookie */
        post: operations["createSession"];
        /** End the session of the cookie, in every process; a bearer token is not ended */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A code that opens this session once in a browser on this machine; not in production */
        post: operations["createLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Leave all devices: ends every session, code and token that was issued to the caller until now, those of programs too */
        delete: operations["endAllSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs of the workspace, newest first; all of them, those under way or those that ended */
        get: operations["listRuns"];
        put?: never;
        /** Start a campaign, or with dry_run say what it would cost at most */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One run and what it was asked to do */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The accounts of a run: who was chosen, who is missing, why, and the way out; all that are asked for as CSV with Accept: text/csv or format=csv (a stream of text/csv, no pages) */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a run did not get, grouped by why, each with its way out and its first items */
        get: operations["getMissing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run's way so far: at most 300 points of what it had reached and used, and what happened beside them */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a finished run did and cost */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hold at the next item */
        post: operations["pauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop; what was sent is settled, the rest is let go */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/replan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the plan, or with dry_run say what the change would do */
        post: operations["replanRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/recheck-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read the provider's balance again and show fresh cards */
        post: operations["recheckBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a run is; poll with If-None-Match */
        get: operations["getProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decisions of all runs by tab or state, in the order asked for, the first five items of each; and what the open ones cost together */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline up to a hundred open cards; each has its own result. There is no such thing for approving */
        post: operations["rejectDecisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One decision; full=true lists every item */
        get: operations["getDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{decision_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who or what is on a card, in the order of the ranking, and who of them the main button takes */
        get: operations["listDecisionItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{decision_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a card with what it showed */
        post: operations["resolveDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{decision_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a save to the CRM back, within ten minutes */
        post: operations["undoDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions/{decision_id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new card, at today's price, for one that expired or was put off */
        post: operations["reopenDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credits, queries and inference (micro-USD): granted = available + held + spent + expired */
        get: operations["getBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Zone, language, concurrency, second approver */
        get: operations["getSettings"];
        /** Replace the settings; the second-approver threshold and capabilities only by an operator */
        put: operations["putSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The list, without what it holds */
        get: operations["listSuppressions"];
        put?: never;
        /** Add companies, domains, people or addresses; a repeat changes nothing */
        post: operations["addSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{suppression_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take one entry off the list */
        delete: operations["removeSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{sequence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A sequence and its drafts */
        get: operations["getSequence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sequences/{sequence_id}/drafts/{draft_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the text of a draft before it is reviewed, from the version that was shown */
        patch: operations["patchDraft"];
        trace?: never;
    };
    "/v1/sequences/{sequence_id}/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store the approved texts at the provider once more, where the run that was to do it ended without it */
        post: operations["storeSequence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Skills, with what was said about each in the scopes that are named, and why one is hidden. A program is not told of hidden ones */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How often each skill was opened, used, kept and passed over, per version; which are worth a look; which go together */
        get: operations["skillUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One skill with its text; a denied one is refused */
        get: operations["getSkill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skills/{name}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Say always, available or never for a skill in one scope, or null to take it back. For the account only approvers and operators; a wider never is not lifted by a narrower word */
        put: operations["putSkillState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs, holds, unknown outcomes, limits, invariants and deliveries, at a glance */
        get: operations["opsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs by state, without progress for ten minutes where it is a machine's turn, or with unknown outcomes */
        get: operations["opsListRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what and why, newest first; ops=true only what operators did or were refused */
        get: operations["opsAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/invariants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether everything adds up */
        get: operations["opsInvariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hold a run at its next item */
        post: operations["opsPauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a run go on */
        post: operations["opsResumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a run; what was sent is settled, the rest is let go */
        post: operations["opsCancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try the failed accounts again */
        post: operations["opsRetryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/settle-unconfirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say what became of an outcome that nobody could read back */
        post: operations["opsSettleUnconfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/runs/{run_id}/repair-projection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the progress row the fold of its events again */
        post: operations["opsRepairProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events: run.progress with what changed; reset asks to read everything afresh */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Conversations of the workspace, newest first; with mine=true those that you began */
        get: operations["listThreads"];
        put?: never;
        /** Begin a conversation */
        post: operations["createThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A conversation: what is known, its board, its latest turns, its campaigns */
        get: operations["getThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say something. Turns of one conversation run one after the other; the same key is the same turn */
        post: operations["createTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}/turns/{turn_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One turn: its state and, when it is over, its answer or why there is none */
        get: operations["getTurn"];
        put?: never;
        post?: never;
        /** Stop a turn that waits or runs; one that is over stays as it is. What it had already started goes on */
        delete: operations["stopTurn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}/turns/{turn_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A turn as server-sent events, from any of them to its end */
        get: operations["streamTurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A conversation as server-sent events: its turns, and run.progress (with the whole body) whenever a campaign of it moves; reset asks to read it afresh */
        get: operations["streamThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads/{thread_id}/selection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Choose rows of the list at hand, by their refs; none takes the choice back */
        put: operations["putSelection"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditEntry: {
            id: number;
            /** Format: date-time */
            at: string;
            actor: string;
            channel: string;
            action: string;
            run_id: string | null;
            reason: string | null;
            /** @enum {string} */
            result: "done" | "unchanged" | "refused";
            detail: {
                [key: string]: unknown;
            };
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        Balances: {
            version: number;
            credits: {
                granted: number;
                available: number;
                held: number;
                spent: number;
                expired: number;
            };
            queries: {
                granted: number;
                available: number;
                held: number;
                spent: number;
                expired: number;
            };
            inference: {
                granted: number;
                available: number;
                held: number;
                spent: number;
                expired: number;
            };
            read_at: string | null;
            topup_url: string | null;
        };
        Budget: {
            credits: components["schemas"]["BudgetLine"];
            queries: components["schemas"]["BudgetLine"];
            inference: {
                cap_micros: number | null;
                held_micros: number;
                used_micros: number | null;
            };
        };
        BudgetLine: {
            requested: number;
            plan_max: number | null;
            held: number;
            spent: number;
        };
        Caps: {
            credits?: number;
            queries?: number;
            inference_micros?: number;
        };
        CapsInput: {
            credits?: number;
            queries?: number;
            inference_micros?: number;
        };
        ControlAccepted: {
            run_id: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            version: number;
            plan_version: number;
        };
        Counts: {
            /** @constant */
            unit: "account";
            total: number;
            done: number;
            running: number;
            pending: number;
            not_found: number;
            suppressed: number;
            skipped: number;
            failed: number;
        };
        CreateRunInput: {
            objetivo?: string;
            criteria: components["schemas"]["CriteriaInput"];
            cuentas: number;
            /**
             * @default borradores
             * @enum {string}
             */
            hasta: "cuentas" | "personas" | "contactos" | "borradores";
            /**
             * @default s1
             * @enum {string}
             */
            desde: "s1" | "s2" | "s3";
            accounts?: components["schemas"]["GivenAccountInput"][];
            /**
             * @default manual
             * @enum {string}
             */
            modo: "manual" | "automatico";
            caps?: components["schemas"]["CapsInput"];
        };
        CreateSuppressionsInput: {
            entries: {
                /** @enum {string} */
                kind: "rfc" | "domain" | "person" | "email";
                value: string;
            }[];
        };
        CreateThreadInput: {
            title?: string;
            profile?: string;
        };
        CreateTurnInput: {
            message: string;
        };
        Criteria: {
            giro: string;
            estado?: string;
            /** @enum {string} */
            tamano?: "micro" | "pequena" | "mediana" | "grande";
            cargo: string;
        };
        CriteriaInput: {
            giro: string;
            estado?: string;
            /** @enum {string} */
            tamano?: "micro" | "pequena" | "mediana" | "grande";
            cargo: string;
        };
        Decision: {
            id: string;
            run_id: string;
            /** @enum {string} */
            step: "s0" | "s1" | "s2" | "s3" | "s4" | "s5" | "s6";
            /** @enum {string} */
            kind: "ajustar_presupuesto" | "guardar_en_crm" | "revelar_contactos" | "revisar_secuencia";
            /** @enum {string} */
            state: "open" | "approved" | "declined" | "expired" | "superseded";
            plan_version: number;
            payload_hash: string;
            items_total: number;
            items: components["schemas"]["DecisionItem"][];
            options: components["schemas"]["DecisionOption"][];
            price: {
                unit_min: number;
                unit_max: number;
                expected_total: number;
                requested_total: number;
                valid_until: string | null;
            };
            balance: {
                credits: number;
                queries: number;
                inference: number;
            };
            held_elsewhere: {
                credits: number;
                queries: number;
                inference: number;
            };
            suppressed: number;
            ranking: string | null;
            notes: {
                code: string;
                params: {
                    [key: string]: string | number | boolean | null;
                };
            }[];
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            resolved: {
                option: string;
                n: number;
                then: string | null;
                by: string;
                channel: string;
                /** Format: date-time */
                at: string;
                total: number;
            } | null;
            superseded_by: string | null;
            reopened_as: string | null;
            undo_until: string | null;
            links: {
                self: string;
                run: string;
                provider_topup: string | null;
            };
        };
        DecisionItem: {
            ref: string;
            label: string;
            detail: string | null;
            price: number;
            already_yours: boolean;
        };
        DecisionItems: {
            items: {
                ref: string;
                label: string;
                detail: string | null;
                price: number;
                already_yours: boolean;
                position: number;
                in_lot: boolean;
            }[];
            total: number;
            next_cursor: string | null;
        };
        DecisionList: {
            decisions: components["schemas"]["DecisionListed"][];
            next_cursor: string | null;
            counts: {
                open: number;
                resolved: number;
                expired: number;
                superseded: number;
            };
            net: {
                paid: number;
                totals: {
                    credits: number;
                    queries: number;
                    inference: number;
                };
                balance: {
                    credits: number;
                    queries: number;
                    inference: number;
                };
                short: {
                    credits: number;
                    queries: number;
                    inference: number;
                };
                exceeds: boolean;
            };
        };
        DecisionListed: {
            id: string;
            run_id: string;
            /** @enum {string} */
            step: "s0" | "s1" | "s2" | "s3" | "s4" | "s5" | "s6";
            /** @enum {string} */
            kind: "ajustar_presupuesto" | "guardar_en_crm" | "revelar_contactos" | "revisar_secuencia";
            /** @enum {string} */
            state: "open" | "approved" | "declined" | "expired" | "superseded";
            plan_version: number;
            payload_hash: string;
            items_total: number;
            items: components["schemas"]["DecisionItem"][];
            options: components["schemas"]["DecisionOption"][];
            price: {
                unit_min: number;
                unit_max: number;
                expected_total: number;
                requested_total: number;
                valid_until: string | null;
            };
            balance: {
                credits: number;
                queries: number;
                inference: number;
            };
            held_elsewhere: {
                credits: number;
                queries: number;
                inference: number;
            };
            suppressed: number;
            ranking: string | null;
            notes: {
                code: string;
                params: {
                    [key: string]: string | number | boolean | null;
                };
            }[];
            expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            resolved: {
                option: string;
                n: number;
                then: string | null;
                by: string;
                channel: string;
                /** Format: date-time */
                at: string;
                total: number;
            } | null;
            superseded_by: string | null;
            reopened_as: string | null;
            undo_until: string | null;
            links: {
                self: string;
                run: string;
                provider_topup: string | null;
            };
            objetivo: string;
            /** @enum {string} */
            run_state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            amount: number;
        };
        DecisionOption: {
            /** @enum {string} */
            id: "approve" | "fit_n" | "all" | "choose" | "recheck_balance" | "decline";
            n: number;
            totals: {
                credits: number;
                queries: number;
                inference: number;
            };
        };
        DecisionsRejected: {
            rejected: number;
            refused: number;
            results: {
                id: string;
                ok: boolean;
                decision: components["schemas"]["Decision"] | null;
                problem: components["schemas"]["Problem"] | null;
            }[];
        };
        GivenAccountInput: {
            ref: string;
            name: string;
            rfc?: string;
            domain?: string;
        };
        Health: {
            alive: boolean;
            ready: boolean;
            parts: {
                [key: string]: {
                    ok: boolean;
                    detail: string;
                };
            };
        };
        Invariants: {
            ok: boolean;
            invariants: {
                id: string;
                ok: boolean;
                detail: string;
            }[];
            /** Format: date-time */
            checked_at: string;
            duration_ms: number;
        };
        Item: {
            item_id: string;
            position: number;
            /** @enum {string} */
            state: "pending" | "running" | "chosen" | "not_found" | "suppressed" | "skipped" | "failed";
            reason: components["schemas"]["Reason"] | null;
            company: {
                ref: string;
                name: string;
            } | null;
            choice: {
                person_id: string;
                title: string;
                score: number;
                role: number;
                seniority: number;
                freshness: number;
            } | null;
            contact: {
                contact_id: string;
                person_id: string;
                title: string | null;
                /** @enum {string} */
                state: "quoted" | "held" | "sent" | "captured" | "voided" | "unconfirmed" | "suppressed" | "drafted";
                price: number;
                name: string | null;
                email: string | null;
            } | null;
            exit: string | null;
        };
        ItemPage: {
            items: components["schemas"]["Item"][];
            next_cursor: string | null;
        };
        LoginCode: {
            code: string;
            /** Format: date-time */
            expires_at: string;
            path: string;
        };
        Missing: {
            run_id: string;
            version: number;
            total: number;
            done: number;
            missing: number;
            groups: {
                reason: string;
                params: {
                    [key: string]: string | number | boolean | null;
                };
                count: number;
                /** @enum {string} */
                of: "account" | "contact" | "draft";
                exit: string;
                link: string;
                first: components["schemas"]["Item"][];
            }[];
        };
        OpsActionInput: {
            reason: string;
            effect_id?: string;
            /** @enum {string} */
            outcome?: "captured" | "voided";
        };
        OpsDone: {
            run_id: string;
            changed: number;
        };
        OpsOverview: {
            /** Format: date-time */
            at: string;
            runs: {
                open: number;
                by_state: {
                    /** @enum {string} */
                    state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
                    n: number;
                    ages: {
                        under_1h: number;
                        h1_to_24: number;
                        d1_to_3: number;
                        over_3d: number;
                    };
                }[];
                idle: {
                    n: number;
                    over_ms: number;
                    longest_ms: number;
                    link: string;
                };
            };
            holds: {
                n: number;
                amount: number;
                /** @enum {string} */
                kind: "credits" | "inference" | "queries";
                ages: {
                    under_1h: {
                        n: number;
                        amount: number;
                    };
                    h1_to_24: {
                        n: number;
                        amount: number;
                    };
                    d1_to_3: {
                        n: number;
                        amount: number;
                    };
                    over_3d: {
                        n: number;
                        amount: number;
                    };
                };
            }[];
            unconfirmed: {
                n: number;
                needs_operator: number;
                credits_held: number;
                oldest_sent_at: string | null;
                link: string;
                queue: {
                    effect_id: string;
                    kind: string;
                    /** @enum {string} */
                    state: "sent" | "unconfirmed";
                    sent_at: string | null;
                    reads: number;
                    needs_operator: boolean;
                    run_id: string;
                    objetivo: string;
                    next_read_at: string | null;
                    credits_held: number;
                    workflow_id: string;
                    temporal_url: string | null;
                }[];
            };
            limiter: {
                calls_per_second: number | null;
                concurrency: number;
                in_use: number;
                waiting: number;
                providers: {
                    provider: string;
                    permits: number | null;
                    paused_until: string | null;
                    paused_ms: number;
                    limited_at: string | null;
                    limited_ms: number | null;
                }[];
            };
            invariants: {
                ok: boolean | null;
                broken: {
                    id: string;
                    detail: string;
                }[];
                checked: number;
                /** Format: date-time */
                checked_at: string;
                duration_ms: number;
                link: string;
            };
            outbox: {
                pending: number;
                oldest_ms: number;
                failing: number;
            };
            reconcile: {
                last_at: string | null;
                took_ms: number | null;
                rounds: number;
                settled: number;
            };
            temporal_ui: string | null;
        };
        OpsRun: {
            run_id: string;
            objetivo: string;
            recipe: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            reason: components["schemas"]["Reason"] | null;
            version: number;
            plan_version: number;
            counts: components["schemas"]["Counts"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_progress_at: string;
            decisions: string[];
            workflow_id: string;
            idle_ms: number;
            outbox_pending: number;
            open_effects: {
                effect_id: string;
                kind: string;
                /** @enum {string} */
                state: "sent" | "unconfirmed";
                sent_at: string | null;
                reads: number;
                needs_operator: boolean;
            }[];
            temporal_url: string | null;
            held: {
                credits: number;
                queries: number;
                inference: number;
            };
            /** @enum {string} */
            control: "run" | "pause" | "cancel";
        };
        OpsRunPage: {
            runs: components["schemas"]["OpsRun"][];
            next_cursor: string | null;
        };
        Paso: {
            /** @enum {string} */
            id: "s0" | "s1" | "s2" | "s3" | "s4" | "s5" | "s6";
            /** @enum {string} */
            skill: "campana" | "cuantos-hay" | "buscar-empresas-y-proveedores" | "quien-le-ha-vendido" | "senales-y-oportunidades" | "como-va-mi-pipeline" | "trabajar-una-cuenta" | "conseguir-contactos" | "armar-secuencia" | "que-sabe-el-equipo" | "guardar-en-crm";
            /** @enum {string} */
            status: "pending" | "running" | "waiting_decision" | "done" | "partial" | "paused" | "blocked" | "unconfirmed" | "failed" | "skipped" | "canceled";
            conteo: {
                done: number;
                total: number;
                /** @enum {string} */
                unit: "company" | "account" | "contact" | "draft";
            } | null;
            cost: {
                /** @enum {string} */
                kind: "gratis" | "externo" | "creditos" | "inferencia";
                max: number | null;
                held: number;
                spent: number;
            };
            checkpoint: string | null;
            reason: components["schemas"]["Reason"] | null;
        };
        PatchDraftInput: {
            version: number;
            subject?: string;
            body?: string;
        };
        PlanEstimate: {
            cuentas: number;
            fits: number;
            requested: {
                credits: number;
                queries: number;
                inference: number;
            };
            max: {
                credits: number;
                queries: number;
                inference: number;
            };
            expected: {
                credits: number;
                queries: number;
                inference: number;
            };
            available: {
                credits: number;
                queries: number;
                inference: number;
            };
            held_elsewhere: {
                credits: number;
                queries: number;
                inference: number;
            };
            limited_by: {
                /** @enum {string} */
                kind: "credits" | "inference" | "queries";
                /** @enum {string} */
                by: "balance" | "cap";
            }[];
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail?: string;
            instance?: string;
            code: string;
            params?: {
                [key: string]: unknown;
            };
            retryable: boolean;
            retry_after_ms?: number;
            decision?: unknown;
            fresh_decision_id?: string;
        };
        Progress: {
            run_id: string;
            version: number;
            plan_version: number;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            reason: components["schemas"]["Reason"] | null;
            objetivo: string;
            /** @enum {string} */
            mode: "manual" | "automatico";
            /** Format: date-time */
            last_progress_at: string;
            poll_after_ms: number;
            counts: components["schemas"]["Counts"];
            pasos: components["schemas"]["Paso"][];
            budget: components["schemas"]["Budget"];
            decisions: string[];
            contacts: {
                captured: number;
                drafted: number;
                unconfirmed: number;
            };
            links: {
                self: string;
            };
        };
        PutSelectionInput: {
            refs: string[];
        };
        PutSkillStateInput: {
            state: ("always" | "available" | "never") | null;
            reason?: string;
        };
        Reason: {
            code: string;
            params: {
                [key: string]: string | number | boolean | null;
            };
        };
        Receipt: {
            run_id: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            counts: components["schemas"]["Counts"];
            contacts: {
                captured: number;
                drafted: number;
                unconfirmed: number;
            };
            budget: {
                credits: {
                    plan_max: number | null;
                    held: number;
                    spent: number;
                };
                queries: {
                    plan_max: number | null;
                    held: number;
                    spent: number;
                };
                inference: {
                    plan_max: number | null;
                    held: number;
                    spent: number;
                };
            };
            decisions: {
                id: string;
                kind: string;
                state: string;
                option: string | null;
                n: number | null;
                total: number | null;
                by: string | null;
                channel: string | null;
            }[];
            history_events: {
                total: number;
                people_step: number;
            };
            seconds: number;
            reason: components["schemas"]["Reason"] | null;
            missing: {
                reason: string;
                count: number;
                exit: string;
            }[];
            freed: {
                credits: number;
                queries: number;
            };
            plan_b: {
                dropped: string;
                value: string;
                found: number;
            }[];
            /** @enum {string} */
            drafts_by: "model" | "template" | "none";
        };
        RejectDecisionsInput: {
            ids: string[];
            /** @enum {string} */
            then?: "skip" | "wait" | "cancel";
        };
        ReplanImpact: {
            run_id: string;
            dry_run: boolean;
            plan_version: number;
            kept: {
                chosen: number;
                captured: number;
                drafted: number;
            };
            dropped: number;
            freed: {
                credits: number;
                queries: number;
                inference: number;
            };
            superseded: string[];
            steps_removed: string[];
            steps_added: string[];
        };
        ReplanInput: {
            cuentas?: number;
            cargo?: string;
            /** @enum {string} */
            hasta?: "cuentas" | "personas" | "contactos" | "borradores";
            reason?: string;
        };
        ResolveDecisionInput: {
            /** @enum {string} */
            option: "approve" | "fit_n" | "all" | "choose" | "decline";
            plan_version: number;
            payload_hash: string;
            shown_total: number;
            items?: string[];
            n?: number;
            /** @enum {string} */
            then?: "skip" | "wait" | "cancel";
        };
        Run: {
            run_id: string;
            objetivo: string;
            recipe: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            reason: components["schemas"]["Reason"] | null;
            version: number;
            plan_version: number;
            counts: components["schemas"]["Counts"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_progress_at: string;
            decisions: string[];
            criteria: components["schemas"]["Criteria"];
            cuentas: number;
            desde: string;
            /** @enum {string} */
            hasta: "cuentas" | "personas" | "contactos" | "borradores";
            /** @enum {string} */
            modo: "manual" | "automatico";
            caps: components["schemas"]["Caps"] | null;
            plan_max: {
                credits: number;
                queries: number;
                inference: number;
            } | null;
            linked_run_id: string | null;
            created_by: string;
            channel: string;
            started_at: string | null;
            ended_at: string | null;
            workflow_id: string;
            links: {
                self: string;
                progress: string;
                items: string;
                receipt: string | null;
            };
        };
        RunAccepted: {
            run_id: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            version: number;
            plan_version: number;
            links: {
                self: string;
                progress: string;
            };
        };
        RunPage: {
            runs: components["schemas"]["RunSummary"][];
            next_cursor: string | null;
        };
        RunSummary: {
            run_id: string;
            objetivo: string;
            recipe: string;
            /** @enum {string} */
            state: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
            reason: components["schemas"]["Reason"] | null;
            version: number;
            plan_version: number;
            counts: components["schemas"]["Counts"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_progress_at: string;
            decisions: string[];
        };
        Selection: {
            selection: {
                ref: string;
                name: string;
                /** @enum {string} */
                kind: "company" | "supplier" | "opportunity" | "record" | "person" | "contact" | "topic" | "award";
                id: string;
                detail: string | null;
                rfc?: string | null;
                domain?: string | null;
                company_id?: string | null;
                amount_mxn?: number | null;
            }[];
            /** @enum {string} */
            stage: "sin_criterio" | "buscando" | "con_seleccion" | "con_lista" | "decision_pendiente";
        };
        Sequence: {
            sequence_id: string;
            run_id: string;
            /** @enum {string} */
            state: "draft" | "approved" | "declined";
            decision_id: string | null;
            decision_hash: string | null;
            objetivo: string;
            problems: {
                code: string;
                count: number;
            }[];
            stored: {
                sequence_id: string;
                /** Format: date-time */
                at: string;
                edited: boolean;
                left: string | null;
            } | null;
            approval: {
                /** @enum {string} */
                state: "under_way" | "stored" | "hindered" | "not_stored" | "unknown";
                run_id: string | null;
                reason: components["schemas"]["Reason"] | null;
            } | null;
            drafts: {
                draft_id: string;
                contact_id: string;
                to_name: string | null;
                title: string | null;
                company: string | null;
                subject: string;
                body: string;
                /** @enum {string} */
                written_by: "model" | "template";
                version: number;
                edited_by: string | null;
                edited_at: string | null;
                stored_draft_id: string | null;
            }[];
        };
        Session: {
            sub: string;
            workspace: string;
            roles: ("seller" | "approver" | "operator")[];
            agent: boolean;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            language: "es-MX" | "en";
            zone: string;
            csrf_token: string | null;
        };
        Settings: {
            zone: string;
            /** @enum {string} */
            language: "es-MX" | "en";
            concurrency: number;
            second_approver_above: number | null;
            /** @default null */
            calls_per_second: number | null;
            integrations?: string[] | null;
            capabilities?: string[] | null;
        };
        SkillDetail: {
            name: string;
            version: string;
            digest: string;
            category: string | null;
            description: string;
            /** @enum {string} */
            costo: "gratis" | "externo" | "creditos";
            cierra_con: string;
            siguiente: string[];
            /** @enum {string} */
            trust: "plataforma" | "propia" | "tercero";
            state: {
                /** @enum {string} */
                value: "always" | "available" | "never";
                /** @enum {string} */
                from: "default" | "account" | "profile" | "thread" | "turn";
                denied: boolean;
            };
            hidden_because: components["schemas"]["Reason"] | null;
            usage: {
                viewed: number;
                used: number;
                helped: number;
                omitted: number;
                last_at: string | null;
            };
            body: string;
            /** @enum {string} */
            reasoning: "bajo" | "medio";
            tools: string[];
            background_tools: string[];
            requiere: string[];
            integrations: string[];
            capabilities: string[];
            references: {
                name: string;
                bytes: number;
                digest: string;
                readable: boolean;
            }[];
        };
        SkillList: {
            digest: string;
            skills: components["schemas"]["SkillSummary"][];
            problems: components["schemas"]["SkillProblem"][];
        };
        SkillProblem: {
            /** @enum {string} */
            severity: "error" | "warning";
            code: string;
            path: string;
            root: string | null;
            key: string | null;
            line: number | null;
            params: {
                [key: string]: string | number;
            };
        };
        SkillStateSet: {
            name: string;
            /** @enum {string} */
            scope: "account" | "profile" | "thread" | "turn";
            scope_id: string;
            state: ("always" | "available" | "never") | null;
            effective: {
                /** @enum {string} */
                value: "always" | "available" | "never";
                /** @enum {string} */
                from: "default" | "account" | "profile" | "thread" | "turn";
                denied: boolean;
            };
        };
        SkillSummary: {
            name: string;
            version: string;
            digest: string;
            category: string | null;
            description: string;
            /** @enum {string} */
            costo: "gratis" | "externo" | "creditos";
            cierra_con: string;
            siguiente: string[];
            /** @enum {string} */
            trust: "plataforma" | "propia" | "tercero";
            state: {
                /** @enum {string} */
                value: "always" | "available" | "never";
                /** @enum {string} */
                from: "default" | "account" | "profile" | "thread" | "turn";
                denied: boolean;
            };
            hidden_because: components["schemas"]["Reason"] | null;
            usage: {
                viewed: number;
                used: number;
                helped: number;
                omitted: number;
                last_at: string | null;
            };
        };
        SkillUsage: {
            stale_after_days: number;
            skills: {
                skill: string;
                viewed: number;
                used: number;
                helped: number;
                omitted: number;
                first_at: string | null;
                last_at: string | null;
                in_library: boolean;
                stale: ("never_viewed" | "not_viewed_lately" | "viewed_never_helps" | "often_omitted") | null;
                versions: {
                    version: string;
                    viewed: number;
                    used: number;
                    helped: number;
                    omitted: number;
                    /** Format: date-time */
                    first_at: string;
                    last_at: string | null;
                }[];
            }[];
            together: {
                a: string;
                b: string;
                times: number;
            }[];
        };
        Suppression: {
            id: string;
            /** @enum {string} */
            kind: "rfc" | "domain" | "person" | "email";
            /** Format: date-time */
            created_at: string;
        };
        SuppressionPage: {
            suppressions: components["schemas"]["Suppression"][];
            next_cursor: string | null;
        };
        SuppressionsAdded: {
            suppressions: components["schemas"]["Suppression"][];
        };
        Thread: {
            thread_id: string;
            title: string | null;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            stage: "sin_criterio" | "buscando" | "con_seleccion" | "con_lista" | "decision_pendiente";
            facts: {
                [key: string]: {
                    /** @enum {string} */
                    status: "dicho" | "perfil" | "faltante";
                    value: string | null;
                };
            };
            board: {
                selection: {
                    ref: string;
                    name: string;
                    /** @enum {string} */
                    kind: "company" | "supplier" | "opportunity" | "record" | "person" | "contact" | "topic" | "award";
                    id: string;
                    detail: string | null;
                    rfc?: string | null;
                    domain?: string | null;
                    company_id?: string | null;
                    amount_mxn?: number | null;
                }[];
                list: {
                    ref: string;
                    name: string;
                    /** @enum {string} */
                    kind: "company" | "supplier" | "opportunity" | "record" | "person" | "contact" | "topic" | "award";
                    id: string;
                    detail: string | null;
                    rfc?: string | null;
                    domain?: string | null;
                    company_id?: string | null;
                    amount_mxn?: number | null;
                }[];
                runs: {
                    ref: string;
                    tool: string;
                    args: {
                        [key: string]: unknown;
                    };
                    total: number | null;
                    shown: number;
                    skill: ("campana" | "cuantos-hay" | "buscar-empresas-y-proveedores" | "quien-le-ha-vendido" | "senales-y-oportunidades" | "como-va-mi-pipeline" | "trabajar-una-cuenta" | "conseguir-contactos" | "armar-secuencia" | "que-sabe-el-equipo" | "guardar-en-crm") | null;
                    /** Format: date-time */
                    at: string;
                    next_cursor?: string | null;
                    seen?: number;
                }[];
                pending: {
                    decision_id: string;
                    /** @enum {string} */
                    kind: "ajustar_presupuesto" | "guardar_en_crm" | "revelar_contactos" | "revisar_secuencia";
                    run_id: string;
                }[];
                plan: {
                    objetivo: string;
                    run_id: string;
                    pasos: {
                        /** @enum {string} */
                        skill: "campana" | "cuantos-hay" | "buscar-empresas-y-proveedores" | "quien-le-ha-vendido" | "senales-y-oportunidades" | "como-va-mi-pipeline" | "trabajar-una-cuenta" | "conseguir-contactos" | "armar-secuencia" | "que-sabe-el-equipo" | "guardar-en-crm";
                        /** @enum {string} */
                        status: "pending" | "running" | "waiting_decision" | "done" | "partial" | "paused" | "blocked" | "unconfirmed" | "failed" | "skipped" | "canceled";
                        conteo: string | null;
                        checkpoint?: string;
                    }[];
                } | null;
            };
            turns: components["schemas"]["Turn"][];
            runs: string[];
        };
        ThreadPage: {
            threads: {
                thread_id: string;
                title: string | null;
                /** Format: date-time */
                created_at: string;
                last_turn_at: string | null;
            }[];
            next_cursor: string | null;
        };
        Timeline: {
            run_id: string;
            version: number;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            total: number;
            limits: {
                credits: number | null;
                queries: number | null;
                inference_micros: number | null;
            };
            events: number;
            sampled: boolean;
            kept: boolean;
            points: {
                version: number;
                /** Format: date-time */
                at: string;
                done: number;
                credits_held: number;
                credits_spent: number;
                queries_held: number;
                queries_spent: number;
                inference_micros: number | null;
            }[];
            markers: {
                version: number;
                /** Format: date-time */
                at: string;
                kind: string;
                params: {
                    [key: string]: string | number | boolean | null;
                };
            }[];
        };
        Turn: {
            turn_id: string;
            thread_id: string;
            position: number;
            /** @enum {string} */
            state: "queued" | "running" | "finished" | "refused" | "interrupted";
            message: string;
            answer: components["schemas"]["TurnAnswer"] | null;
            refused: {
                status: number;
                code: string;
                params: {
                    [key: string]: unknown;
                };
            } | null;
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
        };
        TurnAnswer: {
            turn_id: string;
            thread_id: string;
            intent: {
                /** @constant */
                kind: "responder";
            } | {
                /** @constant */
                kind: "encuadre";
                /** @enum {string} */
                falta: "oferta" | "comprador" | "producto" | "giro" | "estado" | "tamano" | "cargo" | "cuenta" | "tema" | "cantidad" | "periodo" | "exclusiones" | "seleccion" | "contactos" | "campana";
            } | {
                /** @constant */
                kind: "cierre";
                /** @enum {string} */
                variante: "completo" | "parcial";
                salidas: string[];
            } | {
                /** @constant */
                kind: "limite";
                /** @enum {string} */
                falta: "dato" | "conector" | "credito" | "operacion" | "cobertura" | "tope";
                salida: string;
            };
            text: string;
            narration: string;
            anchors: {
                ref: string;
                name: string | null;
            }[];
            pregunta: {
                /** @enum {string} */
                campo: "oferta" | "comprador" | "producto" | "giro" | "estado" | "tamano" | "cargo" | "cuenta" | "tema" | "cantidad" | "periodo" | "exclusiones" | "seleccion" | "contactos" | "campana";
                texto: string;
                supuesto: string | null;
            } | null;
            siguiente: {
                /** @enum {string} */
                kind: "skill" | "decision" | "campana" | "enlace" | "mensaje";
                label: string;
                target: string;
                cost: {
                    /** @enum {string} */
                    kind: "credits" | "queries" | "inference";
                    price: number;
                    balance: number;
                    left: number;
                } | null;
            } | null;
            card: {
                /** @enum {string} */
                kind: "lista" | "conteo" | "pipeline" | "cuenta" | "secuencia" | "contexto" | "analisis" | "ninguna";
                rows: {
                    ref: string;
                    name: string;
                    /** @enum {string} */
                    kind: "company" | "supplier" | "opportunity" | "record" | "person" | "contact" | "topic" | "award";
                    id: string;
                    detail: string | null;
                    rfc?: string | null;
                    domain?: string | null;
                    company_id?: string | null;
                    amount_mxn?: number | null;
                }[];
                total: number | null;
                filters: {
                    [key: string]: string;
                };
                footer: string[];
            } | null;
            decision: components["schemas"]["Decision"] | null;
            progress: components["schemas"]["Progress"] | null;
            /** @enum {string} */
            stage: "sin_criterio" | "buscando" | "con_seleccion" | "con_lista" | "decision_pendiente";
            skills_used: {
                name: string;
                version: string;
                digest: string;
                /** @enum {string} */
                by: "router" | "model" | "person" | "always";
                score: number | null;
            }[];
            skill_omitida: string[];
            usage: {
                steps: number;
                tool_calls: number;
                searches: number;
                repairs: number;
                model_calls: number;
                tokens_in: number;
                tokens_out: number;
                cost_micros: number | null;
                ttft_ms: number | null;
                duration_ms: number;
                prompt: {
                    characters: number;
                    saved_characters: number;
                    saved_tokens: number;
                };
                unresolved_refs: number;
                refs_available: number;
            };
            attempts: {
                model: string;
                /** @enum {string} */
                route: "primary" | "escalation";
                /** @enum {string} */
                mode: "json_schema" | "json_object" | "none";
                outcome: string;
                tokens_in: number;
                tokens_out: number;
                cost_micros: number | null;
                ms: number;
            }[];
            validation: {
                attempt: number;
                tags: string[];
                problems: string[];
            }[];
            model: {
                name: string;
                /** @enum {string} */
                kind: "deterministic" | "openai" | "scripted";
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, nothing to say */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLoginCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginCode"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endAllSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, nothing to say */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                state?: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
                phase?: "open" | "ended";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key"?: string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanEstimate"];
                };
            };
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listItems: {
        parameters: {
            query?: {
                state?: "pending" | "running" | "chosen" | "not_found" | "suppressed" | "skipped" | "failed";
                missing?: "true" | "false";
                reason?: string;
                format?: "json" | "csv";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMissing: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Missing"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The ETag of the last answer. */
                "If-None-Match"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            /** @description Nothing moved since the version in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlAccepted"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlAccepted"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlAccepted"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replanRun: {
        parameters: {
            query?: {
                dry_run?: "true" | "false";
            };
            header?: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key"?: string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplanInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplanImpact"];
                };
            };
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplanImpact"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recheckBalance: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlAccepted"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProgress: {
        parameters: {
            query?: {
                wait?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The ETag of the last answer. */
                "If-None-Match"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            /** @description Nothing moved since the version in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                run_id?: string;
                tab?: "open" | "resolved" | "expired" | "superseded";
                state?: "open" | "approved" | "declined" | "expired" | "superseded";
                sort?: "newest" | "expires" | "amount";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionList"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectDecisions: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectDecisionsInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionsRejected"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDecision: {
        parameters: {
            query?: {
                full?: "true" | "false";
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDecisionItems: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionItems"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveDecision: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveDecisionInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too late */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The plan has changed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoDecision: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too late */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reopenDecision: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBalances: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The ETag of the last answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balances"];
                };
            };
            /** @description Nothing moved since the version in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSettings: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    zone: string;
                    /** @enum {string} */
                    language: "es-MX" | "en";
                    concurrency: number;
                    second_approver_above: number | null;
                    /** @default null */
                    calls_per_second?: number | null;
                    integrations?: string[] | null;
                    capabilities?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addSuppressions: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSuppressionsInput"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionsAdded"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSuppression: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                suppression_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, nothing to say */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                sequence_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchDraft: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                sequence_id: string;
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchDraftInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    storeSequence: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                sequence_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sequence"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                profile?: string;
                thread?: string;
                turn?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillList"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    skillUsage: {
        parameters: {
            query?: {
                stale_after_days?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillUsage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSkill: {
        parameters: {
            query?: {
                profile?: string;
                thread?: string;
                turn?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSkillState: {
        parameters: {
            query: {
                scope: "account" | "profile" | "thread" | "turn";
                scope_id?: string;
            };
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSkillStateInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillStateSet"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsOverview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsOverview"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsListRuns: {
        parameters: {
            query?: {
                state?: "ready" | "running" | "waiting_decision" | "waiting_external" | "paused" | "stopping" | "completed" | "completed_partial" | "canceled" | "failed";
                idle?: "true" | "false";
                unconfirmed?: "true" | "false";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRunPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsAudit: {
        parameters: {
            query?: {
                run_id?: string;
                actor?: string;
                ops?: "true" | "false";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsInvariants: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invariants"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsPauseRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsResumeRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsCancelRun: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsRetryFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsSettleUnconfirmed: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    opsRepairProjection: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpsActionInput"];
            };
        };
        responses: {
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDone"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                run_id?: string;
                last_event_id?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The id of the last event that was received, `<run_id>:<version>`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listThreads: {
        parameters: {
            query?: {
                mine?: "true" | "false";
                cursor?: string;
                limit?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadPage"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createThread: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateThreadInput"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getThread: {
        parameters: {
            query?: {
                turns?: number;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTurn: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description text/event-stream to hear the turn as it happens; else it is answered with 202. */
                Accept?: string;
                /** @description With the key of a turn that was asked before: the number of its last event that was received. */
                "Last-Event-ID"?: string;
            };
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTurnInput"];
            };
        };
        responses: {
            /** @description Server-sent events: each with its number as id, the TurnEvent as data; ends after turn.finished or turn.refused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Durable; it will be done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTurn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                thread_id: string;
                turn_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopTurn: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                thread_id: string;
                turn_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamTurn: {
        parameters: {
            query?: {
                last_event_id?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The number of the last event of this turn that was received. */
                "Last-Event-ID"?: string;
            };
            path: {
                thread_id: string;
                turn_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: each with its number as id, the TurnEvent as data; ends after turn.finished or turn.refused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamThread: {
        parameters: {
            query?: {
                last_event_id?: string;
            };
            header?: {
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
                /** @description The id of the last event that was received, `<turn_id>:<number>`. */
                "Last-Event-ID"?: string;
            };
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: those of turns with <turn_id>:<number> as id, run.progress without one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSelection: {
        parameters: {
            query?: never;
            header: {
                /** @description Any text of 1 to 200 printable characters, new for each change; the same key gets the same answer. */
                "Idempotency-Key": string;
                /** @description Where the person is: api (default), cli or web. */
                "X-Campana-Channel"?: "api" | "cli" | "web";
                /** @description es-MX (default) or en; the language of problems. */
                "Accept-Language"?: string;
            };
            path: {
                thread_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSelectionInput"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Selection"];
                };
            };
            /** @description The request is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token, or not a valid one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not with this role or token */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not there, or of another workspace */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not in this state; the fresh card or state is in the body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Body too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Only application/json */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Understood, but it cannot be done as asked */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description An error of ours */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
