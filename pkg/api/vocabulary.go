package api

import (
	"convene/pkg/auth"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// openWords is the extension that lists words to which more may be added: an enum would make clients refuse unknown
// ones.
const openWords = "x-extensible-enum"

// vocabulary lists the values of a schema's member.
type vocabulary struct {
	schema, member string
	words          []string
}

func (s *Server) vocabularies() []vocabulary {
	outcomes := words(
		meet.OutcomeProposed, meet.OutcomeConfirmed, meet.OutcomeAlternatives, meet.OutcomeActivities, meet.OutcomeNavigate,
		meet.OutcomeQuestion, meet.OutcomeAnswered, meet.OutcomeChanged, meet.OutcomeWaiting, meet.OutcomePartly,
		meet.OutcomeCancelled, meet.OutcomeFailed,
	)
	codes := words(
		fault.Internal, fault.InvalidRequest, fault.NotFound, fault.SlotGone, fault.Conflict, fault.TooLarge,
		fault.Unsupported, fault.Overloaded, fault.Unavailable, fault.DeadlineExceeded, fault.Cancelled,
		fault.ModelUnavailable, fault.ModelAnswer, fault.CalendarFailed, fault.PlacesUnavailable,
	)
	eventTypes := words(meet.InPerson, meet.Video, meet.Phone)
	calendarTypes := words(meet.Personal, meet.Work)
	return append(assistantVocabularies(), []vocabulary{
		{"AcknowledgmentUpdate", "intent", words(s.cfg.Intents...)},
		{"CalendarStatus", "state", words(meet.Checked, meet.CalendarUnchecked)},
		{"Conflict", "kind", words(
			meet.ConflictBusy, meet.ConflictTravel, meet.ConflictWorkingHours, meet.ConflictUsualHours, meet.ConflictNotice,
		)},
		{"DoneUpdate", "outcome", outcomes},
		{"Doubt", "kind", words(
			meet.DoubtRequest, meet.DoubtPeople, meet.DoubtDay,
			meet.DoubtTime, meet.DoubtLength, meet.DoubtPlace, meet.DoubtTravel,
			meet.DoubtUnhandled, meet.DoubtKept,
		)},
		{"ErrorUpdate", "code", codes},
		{"Event", "calendarType", calendarTypes},
		{"Event", "eventType", eventTypes},
		{"Event", "status", words(meet.Proposed, meet.Confirmed, meet.Cancelled)},
		{"MessageUpdate", "composedBy", words(meet.ByModel, meet.ByCode)},
		{"Participant", "invitation", words(meet.InvitationDelivered, meet.InvitationFailed, meet.InvitationUnknown)},
		{"Person", "calendarType", calendarTypes},
		{"Problem", "code", append(words(auth.Unauthorized, auth.TokenExpired, auth.Forbidden, codeMethodNotAllowed,
			codeRequestTimeout, change.Changed, change.Expired, change.AlreadyApplied, change.DigestMismatch, change.Refused),
			codes...)},
		{"Reason", "change", words(
			meet.AnyDay, meet.AnyTime, meet.AnyDayAndTime, meet.Shorter, meet.NoTravelBuffer, meet.OutsideWorkingHours,
			meet.WithoutPerson, meet.AllowExcluded, meet.UseKeptTime,
		)},
		{"Slot", "state", words(meet.SlotFree, meet.SlotUnknown, meet.SlotConflict)},
		{"Template", "activity", words(
			meet.Coffee, meet.Breakfast, meet.Brunch, meet.Lunch, meet.Dinner, meet.Drinks, meet.Meeting, meet.Call, meet.Custom,
		)},
		{"Template", "eventType", eventTypes},
		{"Template", "intentSpecificity", words(meet.SpecificPlace, meet.ActivityType, meet.Open)},
		{"TemplateUpdate", "mode", words(meet.ModeNew, meet.ModeEdit)},
		{"TurnState", "outcome", outcomes},
		{"TurnState", "state", words(meet.TurnQueued, meet.TurnRunning, meet.TurnDone)},
	}...)
}

// assistantVocabularies are those of results and change sets.
func assistantVocabularies() []vocabulary {
	applied := words(meet.AllApplied, meet.PartlyApplied, meet.NothingDone)
	return []vocabulary{
		{"Applied", "outcome", applied},
		{"AppliedUpdate", "outcome", applied},
		{"Change", "class", words(meet.R0, meet.R1, meet.R2, meet.R3)},
		{"Change", "kind", words(meet.CreateThing, meet.UpdateThing, meet.DeleteThing, meet.RespondThing,
			meet.ArchiveThing, meet.SendThing)},
		{"Change", "scope", words(meet.ThisOne, meet.Following, meet.AllOfThem)},
		{"Change", "what", words(meet.EventThing, meet.BlockThing, meet.TaskThing, meet.ListThing, meet.NoteThing,
			meet.ContactThing, meet.PreferenceThing, meet.EmailThing, meet.WorkflowThing)},
		{"ChangeResult", "outcome", words(meet.ChangeDone, meet.ChangeFailed, meet.ChangeSkipped, meet.ChangeUnknown,
			meet.ChangeHeld)},
		{"ChangeSet", "status", words(
			meet.ChangesPending, meet.ChangesApplying, meet.ChangesApplied, meet.ChangesPartly, meet.ChangesCancelled,
			meet.ChangesExpired, meet.ChangesReplaced, meet.ChangesUndone,
		)},
		{"Component", "type", words(
			meet.ScheduleBlockPart, meet.ChangeListPart, meet.ChoicePart, meet.NoteCardPart, meet.GapListPart,
			meet.UtilizationPart,
			meet.PersonCardPart, meet.TaskCardPart, meet.EmailPreviewPart,
		)},
		{"Display", "priority", words(meet.High, meet.Medium, meet.Low)},
		{"Display", "type", words(
			meet.CardDisplay, meet.ListDisplay, meet.TimelineDisplay, meet.GridDisplay, meet.FormDisplay,
			meet.ConfirmationDisplay, meet.ProgressDisplay,
		)},
		{"ResponseMetadata", "operation", words(
			meet.CreateResource, meet.ReadResource, meet.UpdateResource, meet.DeleteResource, meet.Execute,
		)},
		{"ResponseMetadata", "resourceType", words(
			meet.ScheduleResource, meet.BlockResource, meet.EventResource, meet.MeetingResource, meet.TaskResource,
			meet.ListResource, meet.NoteResource, meet.ContactResource, meet.PreferenceResource, meet.WorkflowResource,
			meet.PlanResource, meet.EmailResource,
		)},
	}
}

func words[T ~string](list ...T) []string {
	plain := make([]string, 0, len(list))
	for _, w := range list {
		plain = append(plain, string(w))
	}
	return plain
}

// describeWords adds the vocabularies to the document.
func (s *Server) describeWords() {
	schemas := s.huma.OpenAPI().Components.Schemas.Map()
	for _, v := range s.vocabularies() {
		schema, ok := schemas[v.schema]
		if !ok || schema.Properties[v.member] == nil {
			continue
		}
		described := *schema.Properties[v.member]
		described.Extensions = map[string]any{openWords: v.words}
		schema.Properties[v.member] = &described
	}
}
