package typescript_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/api/typescript"
)

const document = `{
	"info": {"title": "Things", "version": "2"},
	"components": {"schemas": {
		"Thing": {
			"type": "object", "description": "Something\n  to /* have */.", "required": ["type", "parts", "size"],
			"properties": {
				"type": {"type": "string", "enum": ["thing"]},
				"size": {"type": ["integer", "null"]},
				"parts": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Part"}},
				"mixed": {"type": "array", "items": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Part"}]}},
				"kind": {"type": "string", "x-extensible-enum": ["a", "b \"c\""], "description": "What kind."},
				"counts": {"type": "object", "additionalProperties": {"type": "number"}},
				"hours": {"type": "object", "properties": {"mon": {"type": "string"}, "to-day": {"type": "boolean"}},
					"required": ["mon"]},
				"any": {}, "free": {"type": "object", "additionalProperties": true},
				"both": {"allOf": [{"$ref": "#/components/schemas/Part"}, {"type": "object",
					"properties": {"x": {"type": "null"}}}]}
			}
		},
		"Part": {"type": "object", "properties": {"n": {"anyOf": [{"type": "number"}, {"type": "boolean"}]}}},
		"All": {"description": "Either.", "oneOf": [{"$ref": "#/components/schemas/Thing"},
			{"$ref": "#/components/schemas/Part"}]}
	}},
	"paths": {
		"/things/{id}": {
			"put": {
				"operationId": "putThing", "summary": "Store a thing",
				"parameters": [
					{"name": "id", "in": "path", "required": true, "description": "Its id.", "schema": {"type": "string"}},
					{"name": "dry", "in": "query", "schema": {"type": "boolean"}},
					{"name": "If-Match", "in": "header", "schema": {"type": "string"}}
				],
				"requestBody": {"required": true,
					"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
				"responses": {
					"204": {"description": "Stored."},
					"200": {"content": {"text/plain": {"schema": {"type": "string"}}}},
					"4XX": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Part"}}}},
					"default": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Part"}}}}
				}
			},
			"get": {"operationId": "thing", "requestBody": {"content": {"application/json": {"schema": {}}}}, "responses": {}},
			"delete": {"responses": {}}
		}
	}
}`

const declarations = `// Things, version 2. Generated from its description; see /openapi.json.

/** Either. */
export type All = Thing | Part;

export interface Part {
  n?: number | boolean;
}

/** Something to /* have *\/. */
export interface Thing {
  type: "thing";
  any?: unknown;
  both?: Part & { x?: null };
  counts?: Record<string, number>;
  free?: Record<string, unknown>;
  hours?: { mon: string; "to-day"?: boolean };
  /** What kind. */
  kind?: "a" | "b \"c\"" | (string & {});
  mixed?: (string | Part)[];
  parts: Part[] | null;
  size: number | null;
}

/** The operations by id. Answers are by status, as 200 or 4XX; ` +
	`default is every other one. */
export interface Operations {
  thing: {
    method: "GET";
    path: "/things/{id}";
    body?: unknown;
    answers: {
    };
  };
  /** Store a thing */
  putThing: {
    method: "PUT";
    path: "/things/{id}";
    parameters: {
      /** Its id. */
      id: string;
    };
    query?: {
      dry?: boolean;
    };
    headers?: {
      "If-Match"?: string;
    };
    body: Thing;
    answers: {
      200: string;
      204: undefined;
      "4XX": Part;
      default: Part;
    };
  };
}
`

func TestDeclarations(t *testing.T) {
	t.Parallel()
	for range 3 { // in the same order each time
		got, err := typescript.Declarations([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(declarations, string(got)); diff != "" {
			t.Fatalf("declarations (-want +got):\n%s", diff)
		}
	}
}

func TestWhatIsNoDocumentIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `[]`, `{"components": {"schemas": {"A": {"type": 5}}}}`} {
		if got, err := typescript.Declarations([]byte(bad)); err == nil {
			t.Errorf("%q = %s, want an error", bad, got)
		}
	}
}
