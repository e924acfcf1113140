// What a reload needs of a turn stands in the tab's storage: what was said, when and by whom, with which key it is being
// sent, the turn's id and stream, the last update that was shown, its proposal, and what is being done to that.
const fields = ["message", "at", "by", "key", "body", "id", "path", "seen", "event", "sent"];
// How many turns a reload brings back.
const most = 20;
// A message whose answer was not heard is sent again by itself for this long.
const fresh = 600_000;

// place is where an element's turns are kept, which are for the same people on the same page.
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
    // Where a browser keeps nothing, nothing is brought back.
  }
}

// remembered is what was kept, unless the page names another conversation.
function remembered(host) {
  try {
    const known = JSON.parse(sessionStorage.getItem(place(host)));
    const named = host.getAttribute("conversation");
    return Array.isArray(known.turns) && (!named || named === known.conversation) ? known : undefined;
  } catch {
    return undefined;
  }
}

// namespace is what the tokens of one visitor have in common; a key has none.
function namespace(token) {
  try {
    return JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).namespace;
  } catch {
    return undefined;
  }
}
