// The three calls with LangGraph.js: a graph of three nodes, whose state and whose last node's pieces are streamed.
import { END, START, Annotation, StateGraph } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { classify, closeStream, documentOf, model, openStream, select, serve, template } from "./serve.js";

const chat = (call, options) =>
  new ChatOpenAI({ model: call.model, apiKey: model.apiKey, configuration: { baseURL: model.baseURL }, ...options }).bindTools(
    [
      {
        type: "function",
        function: { name: call.name, description: call.description, parameters: call.parameters, strict: true },
      },
    ],
    { tool_choice: { type: "function", function: { name: call.name } } },
  );

// Only the last call is streamed, as with the other servers.
const classifier = chat(classify, { disableStreaming: true });
const templater = chat(template, { disableStreaming: true });
const selector = chat(select, { streaming: true });

async function argumentsOf(bound, call, message) {
  const answer = await bound.invoke([
    ["system", call.system],
    ["user", documentOf(call, message)],
  ]);
  return answer.tool_calls[0].args;
}

const State = Annotation.Root({
  message: Annotation(),
  understanding: Annotation(),
  template: Annotation(),
  event: Annotation(),
});

const graph = new StateGraph(State)
  .addNode("classify", async ({ message }) => ({ understanding: await argumentsOf(classifier, classify, message) }))
  .addNode("draft", async ({ message }) => ({ template: await argumentsOf(templater, template, message) }))
  .addNode("select", async ({ message }) => ({ event: await argumentsOf(selector, select, message) }))
  .addEdge(START, "classify")
  .addEdge("classify", "draft")
  .addEdge("draft", "select")
  .addEdge("select", END)
  .compile();

serve(async (message, res) => {
  const send = openStream(res);
  for await (const [mode, update] of await graph.stream({ message }, { streamMode: ["updates", "messages"] })) {
    if (mode === "updates") {
      send({ type: "update", ...update });
      continue;
    }
    const [chunk, { langgraph_node: node }] = update;
    const piece = chunk.tool_call_chunks?.[0]?.args;
    if (node === "select" && piece) {
      send({ type: "delta", text: piece });
    }
  }
  closeStream(res);
});
