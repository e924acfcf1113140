// make makes an element, whose class defaults to its part's name. Text is always text, never markup.
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  if (tag === "button") node.type = tag;
  for (const [name, value] of Object.entries({ class: attributes.part, ...attributes })) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
  return node;
}

// safeURL is the address if it is https or on the server itself, and undefined otherwise.
function safeURL(address, origin) {
  try {
    const url = new URL(address || "about:blank", origin);
    return url.protocol === "https:" || url.origin === origin ? url.href : undefined;
  } catch {
    return undefined;
  }
}

// outside is a link to another site, or only its text if the address is not safe.
function outside(address, origin, attributes, ...children) {
  const href = safeURL(address, origin);
  if (!href) return make("span", {}, ...children);
  return make("a", { ...attributes, href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

const allowed = new Set(["P", "BR", "STRONG", "EM", "UL", "OL", "LI", "CODE", "BLOCKQUOTE"]);

// copy rebuilds the allowed elements of a parsed message, although the server has sanitized it already.
function copy(from, to, origin, depth = 0) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || depth > 20) continue;
    if (/^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT|IFRAME|OBJECT|SVG|MATH)$/i.test(node.tagName)) continue;
    let target = to;
    if (node.tagName === "A") target = outside(node.getAttribute("href") ?? "", origin, { part: "link" });
    else if (allowed.has(node.tagName)) target = make(node.tagName.toLowerCase());
    if (node.tagName === "OL" && node.start > 1) target.start = node.start;
    if (target !== to) to.append(target);
    copy(node, target, origin, depth + 1);
  }
}

// parsed parses HTML into an inert document. A host page that requires trusted types gets a policy, made once.
let policy;
function parsed(html) {
  policy ??= globalThis.trustedTypes?.createPolicy("convene", { createHTML: (source) => source });
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
}

// rich puts a message into a node: the server's HTML if there is any and the page allows parsing it, otherwise the text
// without Markdown's marks.
function rich(node, { html, text }, origin) {
  node.replaceChildren();
  try {
    if (!html) throw new Error("plain");
    copy(parsed(html).body, node, origin);
    node.classList.remove("plain");
  } catch {
    node.textContent = plain(text);
    node.classList.add("plain");
  }
}

const plain = (markdown) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*|__/g, "");
