package icalendar

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/task"
)

// The properties of a VTODO that RFC 5545 does not have: columns and boards as shared task lists write them, the
// effort (draft-ietf-calext-ical-tasks), and what only Convene knows.
const (
	columnProperty = "X-LIST"
	boardProperty  = "X-BOARD"
	effortProperty = "ESTIMATED-DURATION"
	statusProperty = "X-CONVENE-STATUS"
	blockProperty  = "X-CONVENE-BLOCK"
	sourceProperty = "X-CONVENE-SOURCE"
)

// ReadTasks are the tasks of a file: its VTODO components. Cancelled ones are left out, and of a series the first
// counts for all. Times without a zone are in the given one, in which all times are told. A task that cannot be read is
// a problem, and the others are read. The error is a *SyntaxError.
func ReadTasks(data []byte, zone *time.Location) (tasks []task.Task, problems []error, err error) {
	calendars, err := parseComponents(data)
	if err != nil {
		return nil, nil, err
	}
	for _, calendar := range calendars {
		zones := newZones(calendar)
		zones.fallback = cmp.Or(zones.fallback, zone)
		for _, c := range calendar.children {
			if c.name != "VTODO" || c.text("STATUS") == "CANCELLED" || c.first("RECURRENCE-ID") != nil {
				continue
			}
			t, err := c.task(zones, zone)
			if err == nil {
				err = t.Check()
			}
			if err != nil {
				problems = append(problems, problem(c.line, "task %q: %v", clip(t.Title), err))
				continue
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, problems, nil
}

// task is what a VTODO says.
func (c *component) task(zones *zones, zone *time.Location) (t task.Task, err error) {
	line := func(name string) string { return strings.TrimSpace(c.prose(name)) }
	t = task.Task{
		ID: line("UID"), Title: meet.Caption(line("SUMMARY")), Description: c.prose("DESCRIPTION"),
		Board: line(boardProperty), Column: line(columnProperty), Tags: c.categories(), BlockID: line(blockProperty),
		Source: line(sourceProperty), Status: c.taskStatus(), Priority: c.taskPriority(),
	}
	if p := c.first("RRULE"); p != nil {
		t.Recurrence = strings.TrimSpace(p.value)
	}
	for _, p := range c.props {
		switch {
		case p.name == "ATTENDEE" && t.Assignee == "":
			who := p.attendee()
			t.Assignee = cmp.Or(who.Email, who.Name)
		case p.name == "RELATED-TO" && strings.EqualFold(p.params["RELTYPE"], "DEPENDS-ON"):
			t.Dependencies = append(t.Dependencies, strings.TrimSpace(unescape(p.value)))
		}
	}
	for _, name := range []string{effortProperty, "DURATION"} {
		if p := c.first(name); p != nil && t.EstimatedMinutes == 0 {
			l, err := parseLength(p.value)
			if err != nil {
				return t, err
			}
			t.EstimatedMinutes = l.days*24*60 + int(l.exact/time.Minute)
		}
	}
	for name, to := range map[string]*string{"DUE": &t.Due, "CREATED": &t.Created, "COMPLETED": &t.Completed} {
		if *to, err = c.timeTold(name, zones, zone); err != nil {
			return t, err
		}
	}
	t.Reminder, err = c.reminder(zones, zone, t)
	return t.Placed(), err
}

// timeTold is a DATE or DATE-TIME of the component as a task has it; empty if there is none.
func (c *component) timeTold(name string, zones *zones, zone *time.Location) (string, error) {
	p := c.first(name)
	if p == nil {
		return "", nil
	}
	a, err := parseAnchor(*p, p.value, zones)
	switch {
	case err != nil:
		return "", err
	case a.date:
		return a.wall.Format(time.DateOnly), nil
	case a.zone.lost:
		return "", fmt.Errorf("%s is in an unknown time zone", name)
	}
	return a.moment(zone).In(zone).Format(time.RFC3339), nil
}

// reminder is the time of the first alarm that has one, before the deadline or absolute.
func (c *component) reminder(zones *zones, zone *time.Location, t task.Task) (string, error) {
	for _, alarm := range c.children {
		trigger := alarm.first("TRIGGER")
		if alarm.name != "VALARM" || trigger == nil {
			continue
		}
		if at, err := alarm.timeTold("TRIGGER", zones, zone); err == nil {
			return at, nil
		}
		before, err := parseLength(trigger.value)
		if err != nil {
			return "", err
		}
		if due, timed := t.Deadline(zone); timed {
			return due.AddDate(0, 0, before.days).Add(before.exact).Format(time.RFC3339), nil
		}
	}
	return "", nil
}

func (c *component) taskStatus() task.Status {
	if own := task.Status(strings.ToLower(c.text(statusProperty))); own == task.Scheduled &&
		c.text("STATUS") != "COMPLETED" {
		return own
	}
	switch c.text("STATUS") {
	case "COMPLETED":
		return task.Completed
	case "IN-PROCESS":
		return task.InProgress
	}
	if c.first("COMPLETED") != nil || c.text("PERCENT-COMPLETE") == "100" {
		return task.Completed
	}
	return task.Backlog
}

// taskPriority reads 1 to 4 as high, 5 as medium and 6 to 9 as low (RFC 5545, 3.8.1.9).
func (c *component) taskPriority() task.Priority {
	switch n, err := strconv.Atoi(c.text("PRIORITY")); {
	case err != nil || n <= 0:
		return ""
	case n < 5:
		return task.High
	case n == 5:
		return task.Medium
	default:
		return task.Low
	}
}

// WriteTasks are tasks as a file.
func WriteTasks(tasks []task.Task, stamp time.Time) []byte {
	calendar := &component{name: "VCALENDAR"}
	for _, line := range []string{"VERSION:2.0", "PRODID:-//Convene//Convene//EN", "CALSCALE:GREGORIAN"} {
		calendar.add(line)
	}
	for _, t := range tasks {
		c := &component{name: "VTODO"}
		c.putText("UID", t.ID)
		c.setTask(t, nil, stamp)
		calendar.children = append(calendar.children, c)
	}
	return render(calendar)
}

// AmendTask is the object of a task with other values of the named members (task.Amendment.Sets). What others wrote in
// the object besides stays. The error is a *SyntaxError, also if there is no such task.
func AmendTask(object []byte, to task.Task, members []string, stamp time.Time) ([]byte, error) {
	calendars, err := parseComponents(object)
	if err != nil {
		return nil, err
	}
	for _, calendar := range calendars {
		for _, c := range calendar.children {
			if c.name == "VTODO" && c.first("RECURRENCE-ID") == nil && strings.TrimSpace(c.prose("UID")) == to.ID {
				c.setTask(to, members, stamp)
				return render(calendar), nil
			}
		}
	}
	return nil, &SyntaxError{Line: 1, Reason: "there is no task with the UID"}
}

// setTask writes members of a task; all if none are named.
func (c *component) setTask(t task.Task, members []string, stamp time.Time) {
	c.put("DTSTAMP:" + utc(stamp))
	if c.first("LAST-MODIFIED") != nil || members != nil {
		c.put("LAST-MODIFIED:" + utc(stamp))
	}
	for _, member := range []struct {
		name string
		set  func()
	}{
		{"title", func() { c.putText("SUMMARY", t.Title) }},
		{"description", func() { c.putText("DESCRIPTION", t.Description) }},
		{"board", func() { c.putText(boardProperty, t.Board) }},
		{"column", func() { c.putText(columnProperty, t.Column) }},
		{"blockId", func() { c.putText(blockProperty, t.BlockID) }},
		{"source", func() { c.putText(sourceProperty, t.Source) }},
		{"created", func() { c.putTime("CREATED", t.Created) }},
		{"due", func() { c.drop("DURATION"); c.putTime("DUE", t.Due) }},
		{"recurrence", func() { c.setRule(t) }},
		{"status", func() { c.setStatus(t) }},
		{"completed", func() { c.putTime("COMPLETED", t.Completed) }},
		{"assignee", func() { c.setAssignee(t.Assignee) }},
		{"reminder", func() { c.setReminder(t.Reminder) }},
		{"priority", func() {
			c.putLine("PRIORITY", map[task.Priority]string{task.High: "1", task.Medium: "5", task.Low: "9"}[t.Priority])
		}},
		{"estimatedMinutes", func() {
			length := ""
			if t.EstimatedMinutes > 0 {
				length = fmt.Sprintf("PT%dM", t.EstimatedMinutes)
			}
			c.putLine(effortProperty, length)
		}},
		{"tags", func() {
			tags := make([]string, len(t.Tags))
			for i, tag := range t.Tags {
				tags[i] = escape(tag)
			}
			c.putLine("CATEGORIES", strings.Join(tags, ","))
		}},
		{"dependencies", func() { c.setDependencies(t.Dependencies) }},
	} {
		if members == nil || slices.Contains(members, member.name) {
			member.set()
		}
	}
}

// putLine sets a property to a value in its final form; an empty one removes it.
func (c *component) putLine(name, value string) {
	if value == "" {
		c.drop(name)
		return
	}
	c.put(name + ":" + value)
}

// putTime sets a property to a date or a time.
func (c *component) putTime(name, when string) {
	if day, err := time.Parse(time.DateOnly, when); err == nil {
		c.put(name + ";VALUE=DATE:" + day.Format("20060102"))
		return
	}
	at, err := time.Parse(time.RFC3339, when)
	if err != nil {
		c.drop(name)
		return
	}
	c.put(name + ":" + utc(at))
}

// setRule sets the RRULE. A task that repeats needs a DTSTART, from which the rule counts.
func (c *component) setRule(t task.Task) {
	c.putLine("RRULE", t.Recurrence)
	if t.Recurrence != "" && c.first("DTSTART") == nil {
		c.putTime("DTSTART", t.Due)
	}
}

func (c *component) setStatus(t task.Task) {
	c.put("STATUS:" + map[task.Status]string{task.Completed: "COMPLETED", task.InProgress: "IN-PROCESS"}[t.Status])
	if t.Status == task.Backlog || t.Status == task.Scheduled {
		c.put("STATUS:NEEDS-ACTION")
	}
	c.drop(statusProperty, "PERCENT-COMPLETE")
	if t.Status == task.Scheduled {
		c.put(statusProperty + ":SCHEDULED")
	}
}

func (c *component) setAssignee(assignee string) {
	c.drop("ATTENDEE")
	if uri, ok := mailto(assignee); ok {
		c.add("ATTENDEE:" + uri)
	} else if name := commonName(assignee); name != "" {
		c.add("ATTENDEE" + name + ":" + noAddress)
	}
}

func (c *component) setDependencies(ids []string) {
	c.props = slices.DeleteFunc(c.props, func(p property) bool {
		return p.name == "RELATED-TO" && strings.EqualFold(p.params["RELTYPE"], "DEPENDS-ON")
	})
	for _, id := range ids {
		c.add("RELATED-TO;RELTYPE=DEPENDS-ON:" + escape(id))
	}
}

func (c *component) setReminder(at string) {
	c.children = slices.DeleteFunc(c.children, func(child *component) bool { return child.name == "VALARM" })
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return
	}
	alarm := &component{name: "VALARM"}
	for _, line := range []string{"ACTION:DISPLAY", "DESCRIPTION:Reminder", "TRIGGER;VALUE=DATE-TIME:" + utc(t)} {
		alarm.add(line)
	}
	c.children = append(c.children, alarm)
}

// NextDue is the first due date or time that an RRULE gives after both the last one and now, and the rule that counts
// from it, by the clocks of now's zone. A time of another zone keeps its time of day, unless it is in UTC. Both are
// empty if the rule ends before, and for a rule that cannot be read.
func NextDue(rrule, due string, now time.Time) (next, rule string) {
	zone, layout := now.Location(), time.DateOnly
	first, err := time.ParseInLocation(layout, due, zone)
	after := wallOf(now).Truncate(day)
	if err != nil {
		layout = time.RFC3339
		first, err = time.Parse(layout, due)
		if _, offset := first.Zone(); offset == 0 {
			first = first.In(zone)
		}
		after = wallOf(now)
	}
	r, ruleErr := parseRule(rrule)
	if err != nil || ruleErr != nil {
		return "", ""
	}
	if r.until.utc {
		r.until.wall = wallOf(r.until.wall.In(zone))
	}
	start, found, spent := wallOf(first), time.Time{}, 0
	if after.Before(start) {
		after = start
	}
	for _, years := range []int{1, 9, 90} { // most rules give one within a year
		r.each(start, after.Add(time.Second), after.AddDate(years, 0, 0), &spent, func(wall time.Time) {
			if found.IsZero() {
				found = wall
			}
		})
		if !found.IsZero() {
			at := momentIn(found, zone).In(zone)
			if _, rule, err = SplitRule(rrule, first, at, layout == time.DateOnly); err != nil {
				rule = rrule
			}
			return at.Format(layout), rule
		}
	}
	return "", ""
}
