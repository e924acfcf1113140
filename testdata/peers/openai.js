// The three calls with openai-node: two plain completions, and a stream whose pieces are passed on as they come.
import OpenAI from "openai";
import { classify, closeStream, documentOf, model, openStream, select, serve, template } from "./serve.js";

const client = new OpenAI(model);

const request = (call, message) => ({
  model: call.model,
  messages: [
    { role: "system", content: call.system },
    { role: "user", content: documentOf(call, message) },
  ],
  tools: [
    {
      type: "function",
      function: { name: call.name, description: call.description, parameters: call.parameters, strict: true },
    },
  ],
  tool_choice: { type: "function", function: { name: call.name } },
});

async function argumentsOf(call, message) {
  const completion = await client.chat.completions.create(request(call, message));
  return JSON.parse(completion.choices[0].message.tool_calls[0].function.arguments);
}

serve(async (message, res) => {
  const send = openStream(res);
  send({ type: "acknowledgment", ...(await argumentsOf(classify, message)) });
  send({ type: "template", template: await argumentsOf(template, message) });

  let written = "";
  const stream = await client.chat.completions.create({ ...request(select, message), stream: true });
  for await (const chunk of stream) {
    const piece = chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments;
    if (piece) {
      written += piece;
      send({ type: "delta", text: piece });
    }
  }
  send({ type: "event", event: JSON.parse(written) });
  closeStream(res);
});
