// Prints pkg/calendar/icalendar/windows.txt: the zones that Windows names, and what the tz database calls them.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** The table as it has to be, one "Windows name=Area/City" a line. */
export function windowsTable() {
  const { supplemental } = require("cldr-core/supplemental/windowsZones.json");
  return supplemental.windowsZones.mapTimezones
    .map(({ mapZone }) => mapZone)
    .filter((zone) => zone._territory === "001")
    .map((zone) => `${zone._other}=${zone._type}\n`)
    .join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(windowsTable());
