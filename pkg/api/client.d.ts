
/** The update of one type: UpdateOf<"event"> is EventUpdate. */
export type UpdateOf<T extends Update["type"]> = Extract<Update, { type: T }>;

/** The message while it is written; empty once the whole message has come, or if none comes. */
export interface Preview {
  text: string;
}

/** Metadata of a message of the Vercel AI SDK: UIMessage<MessageMetadata, DataParts>. */
export interface MessageMetadata {
  turnId: string;
  conversationId: string;
  outcome?: DoneUpdate["outcome"];
  receipt?: Receipt;
}

/** The data parts of a message of the Vercel AI SDK, by the name after "data-". */
export type DataParts = {
  [T in Exclude<Update["type"], "turn" | "acknowledgment" | "message_delta" | "message" | "done">]: UpdateOf<T>;
} & { preview: Preview };

/** The state of an AG-UI agent: that of its latest turn. */
export interface AgentState {
  turn?: {
    turnId: string;
    conversationId: string;
    progress?: ProgressUpdate;
    template?: TemplateUpdate;
    candidates?: CandidatesUpdate;
    preview?: string;
    error?: ErrorUpdate;
    done?: DoneUpdate;
  };
}

/** The content of an activity message of AG-UI, by its activityType. */
export interface ActivityContent {
  "convene.event": EventUpdate;
  "convene.alternatives": AlternativesUpdate;
  "convene.activities": ActivitiesUpdate;
  "convene.navigate": NavigateUpdate;
  "convene.plan": PlanUpdate;
  "convene.result": ResultUpdate;
  "convene.changes": ChangesUpdate;
  "convene.choices": ChoicesUpdate;
  "convene.applied": AppliedUpdate;
}

/** The events of <convene-scheduler>. All of them bubble. */
export interface ConveneEventMap {
  "convene:turn": CustomEvent<{ turnId: string; conversationId: string; message: string }>;
  "convene:update": CustomEvent<{ update: Update; id: number; turnId: string }>;
  "convene:event": CustomEvent<{ event: Event }>;
  "convene:confirmed": CustomEvent<{ event: Event }>;
  "convene:cancelled": CustomEvent<{ event: Event }>;
  "convene:error": CustomEvent<{
    code: Problem["code"];
    status?: number;
    message: string;
    retryable: boolean;
    turnId?: string;
    proposalId?: string;
  }>;
}

/** The element <convene-scheduler>, which /widget.js defines. */
export interface ConveneSchedulerElement extends HTMLElement {
/** Sends a message as if typed, and resolves when the turn has ended or was given up. */
  ask(message: string): Promise<void>;
  /** Forgets the conversation and begins a new one. */
  reset(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "convene-scheduler": ConveneSchedulerElement;
  }
  interface HTMLElementEventMap extends ConveneEventMap {}
  interface DocumentEventMap extends ConveneEventMap {}
}
