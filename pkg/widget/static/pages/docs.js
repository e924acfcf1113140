"use strict";

const at = (id) => document.getElementById(id);

// add appends an element with plain text, never markup.
function add(parent, tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text ?? "";
  if (className) element.className = className;
  return parent.appendChild(element);
}

const nameOf = (ref) => ref.split("/").pop();

// typeName is a schema in a few words.
function typeName(schema) {
  if (!schema) return "";
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(" | ");
  if (schema.oneOf) return schema.oneOf.map(typeName).join(" | ");
  const type = [schema.type ?? "any"].flat().filter((t) => t !== "null").join(" | ");
  if (schema.items) return `list of ${typeName(schema.items)}`;
  return schema.format ? `${type} (${schema.format})` : type;
}

// words are a member's known values, if there may be more later.
function words({ "x-extensible-enum": known }) {
  return known && `${known.join(", ")}, or what may be added.`;
}

function fields(parent, schema) {
  const table = add(parent, "table");
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const row = add(table, "tr");
    add(add(row, "td"), "code", name + (schema.required?.includes(name) ? "" : "?"));
    link(add(row, "td"), property);
    add(row, "td", [property.description, words(property)].filter(Boolean).join(" "), "soft");
  }
}

function link(parent, schema) {
  const ref = schema?.$ref ?? schema?.items?.$ref;
  if (!ref) return add(parent, "span", typeName(schema));
  const anchor = add(parent, "a", typeName(schema));
  anchor.href = `#${nameOf(ref)}`;
  return anchor;
}

// credentials says what opens a route of a server with keys.
function credentials(security) {
  const names = security.flatMap((way) => Object.keys(way));
  if (!names.length) return "Open to everyone.";
  if (!names.includes("token")) return "With keys: takes a key.";
  return `With keys: takes a key or a token${names.includes("tokenInAddress") ? ", which may stand in the address as ?token=" : ""}.`;
}

function route(path, method, operation) {
  const box = add(at("routes"), "details");
  box.id = operation.operationId;
  const summary = add(box, "summary");
  add(summary, "span", method.toUpperCase(), "method");
  add(summary, "code", path);
  add(summary, "span", operation.summary, "soft");
  if (operation.description) add(box, "p", operation.description, "soft");
  add(box, "p", credentials(operation.security ?? []), "soft");
  if (operation.parameters) {
    add(box, "h4", "Parameters");
    const table = add(box, "table");
    for (const p of operation.parameters) {
      const row = add(table, "tr");
      add(add(row, "td"), "code", p.name);
      add(row, "td", p.in);
      add(row, "td", p.description, "soft");
    }
  }
  for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
    add(box, "h4", "Body");
    const line = add(box, "p", `${type}: `);
    link(line, media.schema);
  }
  add(box, "h4", "Answers");
  const table = add(box, "table");
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const row = add(table, "tr");
    add(row, "td", status);
    add(row, "td", response.description);
    const cell = add(row, "td");
    for (const [type, media] of Object.entries(response.content ?? {})) {
      const line = add(cell, "div", `${type}: `);
      link(line, media.schema);
    }
  }
}

function schemaBox(parent, name, schema, title) {
  const box = add(parent, "details");
  box.id = name;
  add(add(box, "summary"), "code", title);
  if (schema.description) add(box, "p", schema.description, "soft");
  if (schema.oneOf) add(box, "p", typeName(schema));
  fields(box, schema);
}

// reveal opens the box of the address's fragment.
function reveal() {
  const box = at(location.hash.slice(1));
  if (box) { box.open = true; box.scrollIntoView(); }
}

// The most wanted paths come first.
const first = ["/v1/turns", "/v1/proposals", "/v1/people"];
const rank = (path) => first.findIndex((prefix) => path.startsWith(prefix)) >>> 0;

async function show() {
  const doc = await (await fetch("/openapi.json")).json();
  at("lead").textContent = doc.info.description ?? "";
  for (const [path, item] of Object.entries(doc.paths).sort(([a], [b]) => rank(a) - rank(b))) {
    for (const [method, operation] of Object.entries(item)) route(path, method, operation);
  }
  const schemas = doc.components.schemas;
  const types = Object.entries(schemas.Update.discriminator.mapping);
  const shown = new Set(types.map(([, ref]) => nameOf(ref)));
  for (const ref of schemas.Update.oneOf) {
    const [type] = types.find(([, r]) => r === ref.$ref);
    schemaBox(at("updates"), nameOf(ref.$ref), schemas[nameOf(ref.$ref)], type);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (!shown.has(name)) schemaBox(at("schemas"), name, schema, name);
  }
  reveal();
}

addEventListener("hashchange", reveal);
show().catch((problem) => { at("lead").textContent = `The document could not be read: ${problem.message}`; });
