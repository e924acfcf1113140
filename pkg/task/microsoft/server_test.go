package microsoft_test

import (
	"fmt"
	"net/http"
	"time"

	"convene/pkg/task/remote/remotetest"
)

type object = remotetest.Object

// token opens the account, and root is the path of the API.
const (
	token = "todo-token"
	root  = "/v1.0"
)

// vendor is Microsoft To Do as Microsoft documents it: it keeps the day of a due date only.
var vendor = remotetest.Vendor{
	Token: token, Lists: root + "/me/todo/lists", Tasks: root + "/me/todo/lists/{list}/tasks",
	AllLists: []object{
		{"id": "l3", "displayName": "Flagged email", "wellknownListName": "flaggedEmails"},
		{"id": "l2", "displayName": "Garden", "wellknownListName": "none"},
		{"id": "l1", "displayName": "Tasks", "wellknownListName": "defaultList"},
	},
	Created: http.StatusCreated, ETag: "@odata.etag", PageToken: "$skip",
	New: func() object {
		return object{
			"importance": "normal", "status": "notStarted", "isReminderOn": false, "categories": []any{},
			"body": object{"content": "", "contentType": "text"}, "createdDateTime": "2026-11-20T08:00:00.1234567Z",
		}
	},
	ID: func(version int) string { return fmt.Sprintf("AAMk-task-%d=", version) },
	// Links are left out, unless they are asked for.
	Shown: func(r *http.Request, tasks []object) []object {
		if r.URL.Query().Get("$expand") != "linkedResources" {
			for i, t := range tasks {
				tasks[i] = remotetest.Merged(t, object{"linkedResources": nil})
			}
		}
		return tasks
	},
	Page: func(r *http.Request, items []object, next string) object {
		body := object{"value": append([]object{}, items...)}
		if next != "" {
			q := r.URL.Query()
			q.Set("$skip", next)
			body["@odata.nextLink"] = "http://" + r.Host + r.URL.Path + "?" + q.Encode()
		}
		return body
	},
	Refusal: func(status int) object {
		code := map[int]string{
			http.StatusUnauthorized: "InvalidAuthenticationToken", http.StatusBadRequest: "UnknownError",
			http.StatusNotFound: "ErrorItemNotFound", http.StatusPreconditionFailed: "ErrorIrresolvableConflict",
		}[status]
		return object{"error": object{"code": code, "message": "no"}}
	},
	Kept: func(t object, version int) (etag string) {
		if due, ok := t["dueDateTime"].(object); ok {
			at, _ := due["dateTime"].(string)
			t["dueDateTime"] = object{"dateTime": at[:len(time.DateOnly)] + "T00:00:00.0000000", "timeZone": "UTC"}
		}
		switch {
		case t["status"] != "completed":
			delete(t, "completedDateTime")
		case t["completedDateTime"] == nil:
			t["completedDateTime"] = object{"dateTime": "2026-11-26T00:00:00.0000000", "timeZone": "UTC"}
		}
		return fmt.Sprintf(`W/"%d"`, version)
	},
}
