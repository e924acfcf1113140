// What rrule.js says of a case: it knows rules, and nothing of calendars or zones. Wall times are given to it as if they
// were in UTC, and turned into moments here.
import rrule from "rrule";

import { momentOf, nameOf, wallAt } from "./zones.js";

const { RRule, RRuleSet } = rrule;
const day = 24 * 3600_000;
const understood = /^(UID|DTSTART|DTEND|DURATION|RRULE|EXRULE|EXDATE|RDATE|SUMMARY)[;:]/i;

/** The stretches that the case's calendar takes of its span, or undefined where it is more than one plain series. */
export function busy({ calendar, owner, span }) {
  const lines = calendar.split("\n").slice(2, -2);
  if (lines.shift() !== "BEGIN:VEVENT" || lines.pop() !== "END:VEVENT") return undefined;
  if (!lines.every((line) => understood.test(line)) || !lines.some((line) => /^RRULE[;:]/i.test(line))) return undefined;
  const all = lines.map((line) => /^([^;:]+)([^:]*):(.*)$/.exec(line).slice(1)).map(([name, parameters, value]) => ({
    name: name.toUpperCase(),
    tzid: /TZID="?([^;"]+)/i.exec(parameters)?.[1],
    parameters,
    value: value.trim().toUpperCase(),
  }));
  const start = all.find(({ name }) => name === "DTSTART");
  const zone = start.value.endsWith("Z") ? "UTC" : start.tzid ? nameOf(start.tzid) : owner;
  const foreign = ({ tzid, parameters }) => (tzid && !nameOf(tzid)) || /PERIOD/.test(parameters);
  if (!zone || all.some(foreign)) return undefined;
  return expand({ all, start: stamp(start.value), zone, owner, span });
}

function expand({ all, start, zone, owner, span }) {
  const set = new RRuleSet();
  const wallOf = (value, tzid) => wall(value, tzid ? nameOf(tzid) : zone, zone);
  set.rdate(new Date(start));
  for (const { name, value, tzid } of all) {
    if (name === "RRULE") set.rrule(ruleOf(value, start, zone));
    if (name === "EXRULE") set.exrule(ruleOf(value, start, zone));
    if (name === "EXDATE") value.split(",").forEach((one) => set.exdate(new Date(wallOf(one, tzid))));
    if (name === "RDATE") value.split(",").forEach((one) => set.rdate(new Date(wallOf(one, tzid))));
  }
  const lasts = lengthOf(all, start, zone, owner);
  const margin = lasts.walls + lasts.exact + 2 * day;
  return set.between(new Date(span[0] - margin), new Date(span[1] + margin), true).map((at) => {
    const begin = momentOf(at.getTime(), zone);
    return [begin, lasts.walls ? momentOf(at.getTime() + lasts.walls, zone) + lasts.exact : begin + lasts.exact];
  });
}

function ruleOf(value, dtstart, zone) {
  const options = RRule.parseString(value.replace(/;$/, ""));
  const until = /UNTIL=([^;]+)/.exec(value)?.[1];
  if (until) options.until = new Date(until.length === 8 ? stamp(until) + day - 1000 : wall(until, zone, zone));
  return new RRule({ ...options, dtstart: new Date(dtstart) });
}

/** A DATE or DATE-TIME as written, as if in UTC. */
const stamp = (value) =>
  Date.parse(value.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/, (_, y, m, d, h = "00", i = "00", s = "00") =>
    `${y}-${m}-${d}T${h}:${i}:${s}Z`));

/** The wall time in the series's zone of a value in its own. */
function wall(value, from, to) {
  if (value.endsWith("Z")) return wallAt(stamp(value), to);
  return from === to || value.length === 8 ? stamp(value) : wallAt(momentOf(stamp(value), from), to);
}

/** How long each instance is: by the clock, and in exact time. */
function lengthOf(all, start, zone, owner) {
  const [dtstart, dtend, duration] = ["DTSTART", "DTEND", "DURATION"].map((name) => all.find((one) => one.name === name));
  if (duration) {
    const [, w = 0, d = 0, h = 0, m = 0, s = 0] = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration.value);
    return { walls: (Number(w) * 7 + Number(d)) * day, exact: (Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000 };
  }
  if (dtstart.value.length === 8) return { walls: dtend ? stamp(dtend.value) - start : day, exact: 0 };
  if (!dtend) return { walls: 0, exact: 0 };
  const zoneOfEnd = dtend.value.endsWith("Z") ? "UTC" : dtend.tzid ? nameOf(dtend.tzid) : owner;
  return { walls: 0, exact: momentOf(stamp(dtend.value), zoneOfEnd) - momentOf(start, zone) };
}
