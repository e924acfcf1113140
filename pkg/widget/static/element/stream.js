// Problem is a refusal or a failure in words for a person.
class Problem extends Error {
  constructor({ code, detail, status = 0, retryable = false, after = 0, slots, changes }) {
    super(detail);
    Object.assign(this, { code, status, retryable, after, slots, changes });
  }
}

const pause = (ms, signal) => new Promise((resolve) => {
  const wake = () => { clearTimeout(timer); removeEventListener("online", wake); resolve(); };
  const timer = setTimeout(wake, ms);
  addEventListener("online", wake);
  signal?.addEventListener("abort", wake);
});

// backoff doubles from a second to a quarter of a minute, spread so that readers do not come back together.
const backoff = (attempt) => Math.min(1000 * 2 ** attempt, 15000) * (0.5 + Math.random() / 2);

// For a request that is not a stream.
const answerTime = 20_000;
// The server shows every 15 s that it lives.
const silence = 45_000;
// Connections that fail one after the other, some two minutes.
const patience = 12;

// Server sends requests. All that fails throws a Problem.
class Server {
  constructor(origin, token) {
    Object.assign(this, { origin, token });
  }

  async fetch(path, { headers, ...options } = {}) {
    const authorization = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    const ask = (address, more) => fetch(new URL(address, this.origin), { ...more, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });
    const send = () => ask(path, { ...options, headers: { ...authorization, ...headers } });
    const response = await send().catch((cause) => this.unheard(cause, ask, send, options.signal));
    this.heard = true;
    if (response.ok) return response;
    const said = await response.json().catch(() => ({}));
    const passing = response.status === 429 || response.status >= 500;
    throw new Problem({
      code: said.code ?? "failed", detail: said.detail, status: response.status, slots: said.slots, changes: said.changes,
      retryable: said.retryable ?? passing, after: Number(response.headers.get("Retry-After")) || 0,
    });
  }

  // unheard says why nothing can be read of an answer. A page that the server does not allow is told nothing but that the
  // script is there, and a server that was away may have come back meanwhile.
  async unheard(cause, ask, send, signal) {
    const lost = ({ message }) => { throw new Problem({ code: "no_connection", detail: message, retryable: true }); };
    if (this.heard || signal?.aborted) lost(cause);
    await ask("/widget.js", { method: "HEAD" }).catch(lost);
    return send().catch((again) => { throw signal?.aborted ? lost(again) : new Problem({ code: "forbidden", status: 403 }); });
  }

  async post(path, body, headers = {}, signal = undefined) {
    const response = await this.fetch(path, {
      method: "POST", body: JSON.stringify(body), signal: AbortSignal.any([AbortSignal.timeout(answerTime), signal].filter(Boolean)),
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
    });
    return response.json().catch((cause) => Promise.reject(new Problem({ code: "no_connection", detail: cause.message, retryable: true })));
  }

  // insist repeats an idempotent request after temporary failures. waiting is called before each pause.
  async insist(send, waiting, signal) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send();
      } catch (problem) {
        if (!problem.retryable || attempt === 3 || problem.after > 30 || signal?.aborted) throw problem;
        waiting(problem);
        await pause(problem.after * 1000 || backoff(attempt), signal);
      }
    }
  }
}

// blocks reads the updates of a text/event-stream. An incomplete one is dropped, and will be sent again. alive is called
// for all data, heartbeats too.
async function* blocks(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", block = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (block.data !== undefined) yield block;
        block = {};
        continue;
      }
      const [, field, text] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (field === "data") block.data = block.data === undefined ? text : `${block.data}\n${text}`;
      else if (field) block[field] = text;
    }
  }
}

// Follower reads a turn's updates in order, each once, over as many connections as necessary.
class Follower {
  constructor(path, { update, state, signal }) {
    Object.assign(this, { path, update, state, signal, last: 0, over: false });
  }

  // run returns when the turn is over or the signal stops it, and throws a permanent Problem. It may be run again then,
  // and continues after the last update. Each connection uses the host's current token.
  async run(host) {
    for (let attempt = 0; !this.over && !this.signal.aborted; attempt++) {
      const before = this.last;
      const problem = await this.connect(host.server).catch((cause) => cause);
      if (this.over || this.signal.aborted) return;
      if (problem instanceof Problem && !problem.retryable) throw problem;
      if (this.last > before) attempt = 0;
      if (attempt >= patience) throw new Problem({ code: "no_connection", retryable: true });
      this.state(problem?.after ? "busy" : "lost", problem?.after);
      await pause(problem?.after * 1000 || backoff(attempt), this.signal);
    }
  }

  // connect reads one connection to its end.
  async connect(server) {
    const quiet = new AbortController();
    const stop = () => quiet.abort();
    let timer = setTimeout(stop, silence);
    const alive = () => { clearTimeout(timer); timer = setTimeout(stop, silence); };
    this.signal.addEventListener("abort", stop);
    try {
      const headers = { Accept: "text/event-stream", ...(this.last ? { "Last-Event-ID": String(this.last) } : {}) };
      const response = await server.fetch(this.path, { headers, signal: quiet.signal });
      if (response.status === 204) {
        this.over = true;
        return;
      }
      this.state("open");
      for await (const block of blocks(response.body, alive)) this.take(block);
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener("abort", stop);
    }
  }

  take({ id, data }) {
    const update = JSON.parse(data);
    // The server asks to come back later.
    if (update.type === "error" && !id) {
      throw new Problem({ code: update.code, detail: update.message, retryable: true, after: update.retryAfterSeconds });
    }
    if (id && Number(id) <= this.last) return;
    this.last = Number(id ?? this.last);
    this.over = update.type === "done";
    this.update(update, this.last);
  }
}
