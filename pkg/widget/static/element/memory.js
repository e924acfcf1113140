// A reload needs these fields of a turn, which are in the tab's storage: the message, the answer that it is, its time and visitor, the key and
// body of its request, the turn's id and stream, the last shown update, its proposal, and the pending action on that.
const fields = ["message", "answer", "at", "by", "key", "body", "id", "path", "seen", "event", "sent"];
// How many turns a reload brings back.
const most = 20;
// How long a message without an answer is repeated automatically, in ms.
const fresh = 600_000;

// place is the storage key of an element's turns, for the same people on the same page.
function place(host) {
  const here = host.id || [...document.querySelectorAll("convene-scheduler")].indexOf(host);
  return ["convene", host.server.origin, location.pathname, here, host.getAttribute("organizer"), host.getAttribute("participants")].join(" ");
}

function remember(host, turns) {
  const kept = [...turns].slice(-most).map((turn) => Object.fromEntries(fields.map((name) => [name, turn[name]])));
  try {
    if (kept.length) sessionStorage.setItem(place(host), JSON.stringify({ conversation: host.getAttribute("conversation"), turns: kept }));
    else sessionStorage.removeItem(place(host));
  } catch {
    // Without storage there is nothing to restore.
  }
}

// remembered is the stored state, unless the page names another conversation.
function remembered(host) {
  try {
    const known = JSON.parse(sessionStorage.getItem(place(host)));
    const named = host.getAttribute("conversation");
    return Array.isArray(known.turns) && (!named || named === known.conversation) ? known : undefined;
  } catch {
    return undefined;
  }
}

// namespace is the same for all tokens of a visitor; a key has none.
function namespace(token) {
  try {
    return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).namespace;
  } catch {
    return undefined;
  }
}
