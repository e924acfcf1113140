// Zones as Node knows them, which has its own copy of the tz database.
import { createRequire } from "node:module";

const hour = 3600_000;
const { supplemental } = createRequire(import.meta.url)("cldr-core/supplemental/windowsZones.json");

const formats = new Map();

/** How far the clocks of the zone are ahead of UTC at a moment, in milliseconds. */
export function offsetAt(moment, zone) {
  if (!formats.has(zone)) {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };
    formats.set(zone, new Intl.DateTimeFormat("en-US-u-ca-iso8601", { timeZone: zone, hourCycle: "h23", ...parts }));
  }
  const whole = Math.floor(moment / 1000) * 1000;
  const shown = Object.fromEntries(formats.get(zone).formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second) - whole;
}

/** When clocks of the zone show wall: the first time, or where it is skipped, as the offset before the change has it. */
export function momentOf(wall, zone) {
  const before = offsetAt(wall - 24 * hour, zone);
  const after = offsetAt(wall + 24 * hour, zone);
  const shows = (offset) => offsetAt(wall - offset, zone) === offset;
  return wall - ([before, after].find(shows) ?? before);
}

/** What clocks of the zone show at a moment. */
export const wallAt = (moment, zone) => moment + offsetAt(moment, zone);

/** The first moment of a date. */
export function startOfDay(date, zone) {
  return momentOf(Date.parse(`${date}T00:00:00Z`), zone);
}

/** The name that Node knows a TZID by: itself, without a vendor's prefix, or for the name that Windows gives it. */
export function nameOf(tzid) {
  const parts = tzid.replace(/^\//, "").split("/");
  const candidates = parts.map((_, i) => parts.slice(i).join("/"));
  const windows = supplemental.windowsZones.mapTimezones
    .map(({ mapZone }) => mapZone)
    .find((zone) => zone._territory === "001" && zone._other === tzid);
  if (windows) candidates.push(windows._type);
  if (tzid === "tzone://Microsoft/Utc") candidates.push("UTC");
  return candidates.find(isZone);
}

function isZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A VTIMEZONE with every change of the zone's clocks in the years of the corpus, one by one. */
export function definitionOf(zone) {
  const start = Date.UTC(1996, 0, 1);
  let offset = offsetAt(start, zone);
  const parts = [part("STANDARD", start + offset, offset, offset)];
  // No zone changes its clocks and back again within two weeks.
  const step = 14 * 24 * hour;
  for (let moment = start; moment < Date.UTC(2033, 0, 1); moment += step) {
    const next = offsetAt(moment + step, zone);
    if (next === offset) continue;
    const change = bisect(moment, moment + step, zone, offset);
    parts.push(part(next > offset ? "DAYLIGHT" : "STANDARD", change + offset, offset, next));
    offset = next;
  }
  return `BEGIN:VTIMEZONE\nTZID:${zone}\n${parts.join("")}END:VTIMEZONE\n`;
}

/** The moment between two at which the offset is no longer that. */
function bisect(low, high, zone, offset) {
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle, zone) === offset) low = middle;
    else high = middle;
  }
  return high;
}

const part = (name, wall, from, to) =>
  `BEGIN:${name}\nDTSTART:${new Date(wall).toISOString().replace(/[-:]|\.\d+Z/g, "")}\n` +
  `TZOFFSETFROM:${sign(from)}\nTZOFFSETTO:${sign(to)}\nEND:${name}\n`;

function sign(offset) {
  const minutes = Math.abs(offset) / 60_000;
  const digits = (n) => String(Math.floor(n)).padStart(2, "0");
  return (offset < 0 ? "-" : "+") + digits(minutes / 60) + digits(minutes % 60);
}
