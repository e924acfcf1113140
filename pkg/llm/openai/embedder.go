package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

	"convene/pkg/embedding"
)

// EmbedderConfig configures an Embedder.
type EmbedderConfig struct {
	// BaseURL and APIKey are as in Config.
	BaseURL, APIKey string
	// Model defaults to text-embedding-3-small.
	Model string
	// Deadline bounds a call with its retries. Defaults to 5 s.
	Deadline time.Duration
	// HTTPClient defaults to one of its own.
	HTTPClient *http.Client
}

// Embedder is an embedding.Model over the OpenAI API. It is safe for concurrent use.
type Embedder struct {
	service  sdk.EmbeddingService
	model    string
	deadline time.Duration
}

var _ embedding.Model = (*Embedder)(nil)

// NewEmbedder connects to nothing and reads nothing from the environment.
func NewEmbedder(cfg EmbedderConfig) (*Embedder, error) {
	whole := withDefaults(Config{BaseURL: cfg.BaseURL, APIKey: cfg.APIKey, HTTPClient: cfg.HTTPClient})
	if err := check(whole); err != nil {
		return nil, fmt.Errorf("openai: embeddings: %w", err)
	}
	options := []option.RequestOption{
		option.WithBaseURL(whole.BaseURL), option.WithHTTPClient(whole.HTTPClient), option.WithMaxRetries(1),
	}
	if cfg.APIKey != "" {
		options = append(options, option.WithAPIKey(cfg.APIKey))
	}
	return &Embedder{
		service: sdk.NewEmbeddingService(options...), model: cmp.Or(cfg.Model, sdk.EmbeddingModelTextEmbedding3Small),
		deadline: cmp.Or(cfg.Deadline, 5*time.Second),
	}, nil
}

// Name is that of the model.
func (e *Embedder) Name() string { return e.model }

// Near is above what OpenAI's third models give texts about different things.
func (e *Embedder) Near() float64 { return 0.3 }

// mostInputs is how many texts the API takes in one request, and longestInput how many bytes of one are sent: a byte is
// at most a token, and a model takes 8,192.
const mostInputs, longestInput = 2048, 8000

// Embed asks for a vector of each text.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	vectors := make([]embedding.Vector, 0, len(texts))
	for len(vectors) < len(texts) {
		part, err := e.request(ctx, texts[len(vectors):min(len(vectors)+mostInputs, len(texts))])
		if err != nil {
			return nil, fmt.Errorf("openai: embeddings: %w", err)
		}
		vectors = append(vectors, part...)
	}
	return vectors, nil
}

func (e *Embedder) request(ctx context.Context, texts []string) ([]embedding.Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, e.deadline)
	defer cancel()
	input := make([]string, len(texts))
	for i, text := range texts {
		input[i] = cmp.Or(strings.ToValidUTF8(text[:min(len(text), longestInput)], ""), " ") // an empty one is refused
	}
	answer, err := e.service.New(ctx, sdk.EmbeddingNewParams{
		Model: e.model, Input: sdk.EmbeddingNewParamsInputUnion{OfArrayOfStrings: input},
		Dimensions: param.NewOpt[int64](embedding.Dimensions), EncodingFormat: sdk.EmbeddingNewParamsEncodingFormatFloat,
	})
	if err != nil {
		return nil, err
	}
	vectors := make([]embedding.Vector, len(texts))
	if len(answer.Data) != len(texts) {
		return nil, fmt.Errorf("%d vectors of %d texts", len(answer.Data), len(texts))
	}
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= int64(len(texts)) || len(d.Embedding) == 0 {
			return nil, errors.New("a vector without a place or a length")
		}
		full := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			full[i] = float32(x)
		}
		vectors[d.Index] = embedding.Quantize(full)
	}
	return vectors, nil
}
