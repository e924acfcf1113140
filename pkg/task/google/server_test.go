package google_test

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"convene/pkg/task/remote/remotetest"
)

type object = remotetest.Object

// token opens the account.
const token = "tasks-token"

// vendor is Google Tasks as Google documents it: it keeps the day of a due date only, and gives ids of its own.
var vendor = remotetest.Vendor{
	Token: token, Lists: "/tasks/v1/users/@me/lists", Tasks: "/tasks/v1/lists/{list}/tasks",
	AllLists: []object{
		{"id": "l1", "title": "My Tasks"}, {"id": "l2", "title": "Garden"}, {"id": "l3", "title": "Empty"},
	},
	Created: http.StatusOK, ETag: "etag", PageToken: "pageToken",
	New: func() object { return object{"kind": "tasks#task", "status": "needsAction"} },
	ID:  func(version int) string { return fmt.Sprintf("MTIz%d", version) },
	// What Google's apps hide is left out, unless it is asked for.
	Shown: func(r *http.Request, tasks []object) []object {
		return slices.DeleteFunc(tasks, func(t object) bool {
			return t["status"] == "completed" && r.URL.Query().Get("showHidden") != "true"
		})
	},
	Page: func(r *http.Request, items []object, next string) object {
		body := object{"kind": "tasks#taskLists", "items": items, "nextPageToken": next}
		if r.PathValue("list") != "" {
			body["kind"] = "tasks#tasks"
		}
		if len(items) == 0 {
			delete(body, "items")
		}
		return body
	},
	Refusal: func(status int) object {
		reason := map[int]string{
			http.StatusUnauthorized: "authError", http.StatusBadRequest: "invalid", http.StatusNotFound: "notFound",
			http.StatusPreconditionFailed: "conditionNotMet",
		}[status]
		return object{"error": object{"code": status, "message": "no", "errors": []object{{"reason": reason}}}}
	},
	Kept: func(t object, version int) (etag string) {
		if due, ok := t["due"].(string); ok {
			t["due"] = due[:len(time.DateOnly)] + "T00:00:00.000Z"
		}
		switch {
		case t["status"] != "completed":
			delete(t, "completed")
		case t["completed"] == nil:
			t["completed"] = "2026-11-26T10:59:00.000Z"
		}
		return fmt.Sprintf(`"%d"`, version)
	},
}
