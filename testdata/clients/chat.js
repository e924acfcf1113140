// useChat without a page: the chat of the Vercel AI SDK (package "ai" or another version of it) against a server, as
//   node chat.js PACKAGE SERVER SERVER-WHOSE-CONNECTIONS-BREAK SERVER-THAT-FAILS
// What the chats hold in the end is printed as one JSON object.
const [name, server, broken, failing] = process.argv.slice(2);
const { AbstractChat, DefaultChatTransport, readUIMessageStream } = await import(name);

// Held is what a page would show; useChat has the same in React.
class Held {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (i, message) => (this.messages = this.messages.with(i, structuredClone(message)));
  snapshot = (thing) => structuredClone(thing);
}

class Chat extends AbstractChat {
  constructor(options) {
    super({ ...options, state: new Held() });
  }
}

const transport = (url, body = { organizer: "me" }) => new DefaultChatTransport({ api: `${url}/v1/chat`, body });

// end is what a chat holds, with what was shown on the way.
async function end(options, ...messages) {
  const previews = [];
  const finished = [];
  const chat = new Chat({
    ...options,
    onData: ({ type, data }) => type === "data-preview" && previews.push(data.text),
    onFinish: ({ isError, finishReason }) => finished.push({ isError, finishReason }),
  });
  for (const text of messages) await chat.sendMessage({ text });
  return { chat, told: () => ({ status: chat.status, error: chat.error?.message, messages: chat.messages, previews, finished }) };
}

const results = {};

const whole = await end({ transport: transport(server) }, "Let's grab coffee with Al next week", "can we do lunch instead?");
results.conversation = whole.told();

results.refused = (await end({ transport: transport(server, { organizer: "zoe" }) }, "Coffee with Al")).told();
results.failed = (await end({ transport: transport(failing) }, "Coffee with Al")).told();

// The connection breaks, and the chat asks for what it had been told from the beginning.
const cut = await end({ transport: transport(broken) }, "Coffee with Al next week");
results.cut = structuredClone(cut.told());
await cut.chat.resumeStream();
results.resumed = cut.told();

// A chat that nobody began has nothing to go on with.
const fresh = await end({ transport: transport(server) });
await fresh.chat.resumeStream();
results.fresh = fresh.told();

// A turn that was begun otherwise, chosen by the Accept header.
const turn = whole.chat.messages[1].metadata.turnId;
const other = new DefaultChatTransport({
  prepareReconnectToStreamRequest: () => ({
    api: `${server}/v1/turns/${turn}/events`,
    headers: { Accept: "text/event-stream;protocol=ui-message-stream" },
  }),
});
for await (const message of readUIMessageStream({ stream: await other.reconnectToStream({ chatId: "any" }) })) results.read = message;

console.log(JSON.stringify(results));
