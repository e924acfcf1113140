// The three calls with the Vercel AI SDK: generateText twice, then streamText, in one UI message stream.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createUIMessageStream, generateText, jsonSchema, pipeUIMessageStreamToResponse, streamText, tool } from "ai";
import { classify, documentOf, model, select, serve, template } from "./serve.js";

const provider = createOpenAICompatible({ name: "convene", ...model });

const request = (call, message) => ({
  model: provider(call.model),
  system: call.system,
  prompt: documentOf(call, message),
  tools: {
    [call.name]: tool({ description: call.description, inputSchema: jsonSchema(call.parameters), strict: true }),
  },
  toolChoice: { type: "tool", toolName: call.name },
});

async function inputOf(call, message) {
  const { toolCalls } = await generateText(request(call, message));
  return toolCalls[0].input;
}

serve(async (message, res) => {
  const stream = createUIMessageStream({
    execute: async ({ writer }) => {
      writer.write({ type: "data-acknowledgment", data: await inputOf(classify, message) });
      writer.write({ type: "data-template", data: await inputOf(template, message) });
      writer.merge(streamText(request(select, message)).toUIMessageStream());
    },
  });
  pipeUIMessageStreamToResponse({ response: res, stream });
});
