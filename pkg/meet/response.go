package meet

import (
	"encoding/json"
	"time"
)

// Response is the result of a tool, in one shape for all tools.
type Response struct {
	Metadata  ResponseMetadata   `json:"metadata"`
	Data      json.RawMessage    `json:"data"`
	Display   Display            `json:"display"`
	UI        ResponseUI         `json:"ui"`
	Streaming *ResponseStreaming `json:"streaming,omitempty"`
	Error     *ResponseError     `json:"error,omitempty"`
}

// ResponseMetadata says what the tool did.
type ResponseMetadata struct {
	ToolName     string       `json:"toolName"`
	Operation    Operation    `json:"operation"`
	ResourceType ResourceType `json:"resourceType"`
	Timestamp    time.Time    `json:"timestamp"`
	// ExecutionTime is in milliseconds.
	ExecutionTime float64 `json:"executionTime"`
}

// Operation is what a tool does to a resource.
type Operation string

// The operations.
const (
	CreateResource Operation = "create"
	ReadResource   Operation = "read"
	UpdateResource Operation = "update"
	DeleteResource Operation = "delete"
	Execute        Operation = "execute"
)

// ResourceType is the sort of what a tool gives.
type ResourceType string

// The resources.
const (
	ScheduleResource   ResourceType = "schedule"
	BlockResource      ResourceType = "block"
	EventResource      ResourceType = "event"
	MeetingResource    ResourceType = "meeting"
	TaskResource       ResourceType = "task"
	EmailResource      ResourceType = "email"
	ListResource       ResourceType = "list"
	NoteResource       ResourceType = "note"
	ContactResource    ResourceType = "contact"
	PreferenceResource ResourceType = "preference"
	WorkflowResource   ResourceType = "workflow"
	PlanResource       ResourceType = "plan"
)

// Display says how a client may show a response.
type Display struct {
	Type        DisplayType `json:"type"`
	Title       string      `json:"title"`
	Description string      `json:"description,omitempty"`
	Priority    Priority    `json:"priority"`
	Components  []Component `json:"components"`
}

// DisplayType is the form of a display.
type DisplayType string

// The forms.
const (
	CardDisplay         DisplayType = "card"
	ListDisplay         DisplayType = "list"
	TimelineDisplay     DisplayType = "timeline"
	GridDisplay         DisplayType = "grid"
	FormDisplay         DisplayType = "form"
	ConfirmationDisplay DisplayType = "confirmation"
	ProgressDisplay     DisplayType = "progress"
)

// Priority is how much a display matters.
type Priority string

// The priorities.
const (
	High   Priority = "high"
	Medium Priority = "medium"
	Low    Priority = "low"
)

// Component is a part of a display. Data has the shape of its type.
type Component struct {
	Type ComponentType   `json:"type"`
	Data json.RawMessage `json:"data"`
}

// ComponentType is the sort of a component.
type ComponentType string

// The components.
const (
	ScheduleBlockPart ComponentType = "scheduleBlock"
	ChangeListPart    ComponentType = "changeList"
	ChoicePart        ComponentType = "choice"
	NoteCardPart      ComponentType = "noteCard"
	GapListPart       ComponentType = "gapList"
	UtilizationPart   ComponentType = "utilization"
	PersonCardPart    ComponentType = "personCard"
	TaskCardPart      ComponentType = "taskCard"
	EmailPreviewPart  ComponentType = "emailPreview"
)

// ResponseUI hints at what a client may do with a response.
type ResponseUI struct {
	Notification *Notification `json:"notification,omitempty"`
	// Suggestions are messages that the user may send next.
	Suggestions []string `json:"suggestions"`
	Actions     []Action `json:"actions"`
	// ConfirmationRequired says that the changes are pending; ConfirmationID is then the id of their set.
	ConfirmationRequired bool      `json:"confirmationRequired,omitempty"`
	ConfirmationID       ChangesID `json:"confirmationId,omitempty"`
}

// Notification is a short message to show for Duration milliseconds.
type Notification struct {
	Show     bool   `json:"show"`
	Type     string `json:"type" enum:"success,info,warning,error"`
	Message  string `json:"message"`
	Duration int    `json:"duration"`
}

// Action is a button: Message is what it sends as the user's words.
type Action struct {
	Label   string `json:"label"`
	Message string `json:"message"`
}

// ResponseStreaming is the progress of a response that comes in parts.
type ResponseStreaming struct {
	Supported   bool            `json:"supported"`
	Progress    *float64        `json:"progress,omitempty"`
	Stage       string          `json:"stage,omitempty"`
	PartialData json.RawMessage `json:"partialData,omitempty"`
}

// ResponseError says why a tool could not do it, in words for a person.
type ResponseError struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Details json.RawMessage `json:"details,omitempty"`
	// Recoverable says that one of the suggested actions can help.
	Recoverable      bool     `json:"recoverable"`
	SuggestedActions []string `json:"suggestedActions"`
}

// Choices is a question with answers to choose from.
type Choices struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Options  []Option `json:"options"`
	// Free says that an answer in other words is read too.
	Free bool `json:"free"`
}

// Option is one answer.
type Option struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
}

// ChoiceAnswer chooses an option of Choices.
type ChoiceAnswer struct {
	// ID is that of the choices, and Option that of the option.
	ID     string `json:"id"`
	Option string `json:"option"`
	// Text answers in other words, if Option is empty. Run is the run that asks, if another conversation may do so.
	Text string `json:"text,omitempty"`
	Run  string `json:"run,omitempty"`
}

// PlanStep is a step of a plan, and how far it has come.
type PlanStep struct {
	ID           string   `json:"id"`
	Tool         string   `json:"tool"`
	HumanSummary string   `json:"humanSummary"`
	DependsOn    []string `json:"dependsOn"`
	Status       string   `json:"status" enum:"pending,ready,running,completed,failed,waiting_for_user,blocked,skipped"`
	// Milliseconds and Count are set once the step has ended: how long it took, and how many things it found or changes.
	Milliseconds float64 `json:"milliseconds,omitempty"`
	Count        *int    `json:"count,omitempty"`
}
