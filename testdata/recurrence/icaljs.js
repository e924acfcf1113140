// What ical.js says of a case. It knows recurrence and VTIMEZONE; what takes time is said here as the service has it.
import ICAL from "ical.js";

import { definitionOf, nameOf } from "./zones.js";

/** How many instances are looked at before a series is given up. */
const patience = 20_000;
const owner = "mailto:ola@example.com";

/** The stretches that the case's calendar takes of its span. */
export function busy({ calendar, owner: ownerZone, span }) {
  const root = new ICAL.Component(ICAL.parse(calendar));
  ICAL.TimezoneService.reset();
  for (const tzid of named(root)) {
    const zone = nameOf(tzid);
    if (zone) ICAL.TimezoneService.register(zoneOf(zone), tzid);
  }
  const moments = momentsFor(zoneOf(ownerZone));
  const components = root.getAllSubcomponents("vevent").filter(() => text(root, "method") !== "CANCEL");
  const stretches = root.getAllSubcomponents("vfreebusy").flatMap((component) => reported(component, moments));
  for (const component of components) {
    const event = new ICAL.Event(component, { exceptions: related(component, components) });
    stretches.push(...(event.isRecurrenceException() ? single(event, moments) : series(event, moments, span)));
  }
  return stretches;
}

/** The TZIDs that a calendar mentions. */
function named(component) {
  const own = component.getAllProperties().map((property) => property.getFirstParameter("tzid"));
  return new Set([...own.filter(Boolean), ...component.getAllSubcomponents().flatMap((inner) => [...named(inner)])]);
}

const zones = new Map();

function zoneOf(zone) {
  if (!zones.has(zone)) {
    const component = new ICAL.Component(ICAL.parse(definitionOf(zone)));
    zones.set(zone, new ICAL.Timezone({ component, tzid: zone }));
  }
  return zones.get(zone);
}

/** Turns times into moments; floating ones and dates are the owner's. */
function momentsFor(ownerZone) {
  return (time) => {
    const own = time.clone();
    if (own.isDate) Object.assign(own, { isDate: false, hour: 0, minute: 0, second: 0 });
    if (time.isDate || own.zone.tzid === "floating") own.zone = ownerZone;
    return own.toUnixTime() * 1000;
  };
}

const uidOf = (component) => component.getFirstPropertyValue("uid");
const text = (component, name) => String(component.getFirstPropertyValue(name) ?? "").toUpperCase();

/** The overrides of a master. */
function related(component, all) {
  if (component.hasProperty("recurrence-id") || uidOf(component) === null) return [];
  return all.filter((other) => other.hasProperty("recurrence-id") && uidOf(other) === uidOf(component));
}

function takesTime(component) {
  const declined = component.getAllProperties("attendee").some((attendee) =>
    String(attendee.getFirstParameter("partstat")).toUpperCase() === "DECLINED" &&
    String(attendee.getFirstValue()).toLowerCase() === owner);
  if (declined || text(component, "status") === "CANCELLED") return false;
  const outlook = text(component, "x-microsoft-cdo-busystatus");
  if (["FREE", "WORKINGELSEWHERE"].includes(outlook)) return false;
  return outlook !== "" || text(component, "transp") !== "TRANSPARENT";
}

function single(event, moments) {
  return takesTime(event.component) ? [[moments(event.startDate), moments(event.endDate)]] : [];
}

function series(event, moments, [, end]) {
  const stretches = [];
  const iterator = event.iterator();
  // An override of all later instances may move them to an earlier time.
  const margin = 7 * 24 * 3600_000;
  for (let n = 0, next = iterator.next(); next && moments(next) < end + margin; next = iterator.next(), n++) {
    if (n === patience) throw new Error("too many instances");
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const replaced = next.toString() in event.exceptions || next.convertToZone(ICAL.Timezone.utcTimezone).toString() in event.exceptions;
    if (!replaced && takesTime(item.component)) stretches.push([moments(startDate), moments(endDate)]);
  }
  return stretches;
}

function reported(component, moments) {
  return component.getAllProperties("freebusy")
    .filter((property) => property.getFirstParameter("fbtype") !== "FREE")
    .flatMap((property) => property.getValues())
    .map((period) => [moments(period.start), moments(period.getEnd())]);
}
