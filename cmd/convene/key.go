package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"convene/functions"
	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/redisstore"
)

// keyCommand makes, lists and revokes the keys of servers.
type keyCommand struct {
	RedisURL string `name:"redis-url" env:"REDIS_URL" help:"Redis in which the keys are kept: that of the service." placeholder:"URL"`

	New    newKeyCommand    `cmd:"" help:"Make a key and print it, this once. From then on the service answers nobody without one."`
	List   listKeysCommand  `cmd:"" help:"List the keys, without what opens the door."`
	Revoke revokeKeyCommand `cmd:"" help:"End a key and the tokens that were made with it, within seconds."`
}

// ring opens the Redis of the service. An embedded one would lose the key when the command ends.
func (c *keyCommand) ring(ctx context.Context) (ring redisstore.KeyRing, end func() error, err error) {
	if c.RedisURL == "" {
		return ring, nil, misuse{
			errors.New("keys need REDIS_URL: without it a service keeps its state in its own process, and no key would " +
				"outlive this command"),
		}
	}
	store, err := redisstore.Open(ctx, redisstore.Config{URL: c.RedisURL})
	if err != nil {
		return ring, nil, err
	}
	return store.KeyRing(), store.Close, nil
}

type newKeyCommand struct {
	Tenant string `required:"" help:"Whose key it is: the site that sees what is stored with it, and nothing of others. \"\" is the tenant of a service without keys." placeholder:"NAME"`
	Name   string `help:"What the key is for, in your words." placeholder:"LABEL"`

	Families  []string `help:"Families of tools that the key may use, as calendar,schedule; all by default." placeholder:"NAME"`
	NoConfirm bool     `help:"The key cannot confirm anything: for agents that are not trusted."`
}

const longestKeyName = 200 // bytes

// Run prints only the key on standard output, so that a script can read it.
func (c *newKeyCommand) Run(ctx context.Context, keys *keyCommand, std streams) (err error) {
	if !auth.IsTenant(c.Tenant) {
		return misuse{fmt.Errorf("--tenant: %q is not a name of at most 64 small letters, digits and . _ -", c.Tenant)}
	}
	if len(c.Name) > longestKeyName || strings.ContainsFunc(c.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return misuse{errors.New("--name: is too long, or has characters in it that cannot be shown")}
	}
	if err := checkFamilies("--families", c.Families); err != nil {
		return err
	}
	ring, end, err := keys.ring(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	key, secret := auth.NewKey(meet.Tenant(c.Tenant), c.Name, time.Now())
	key.Allowance = auth.Allowance{Families: c.Families, NoConfirm: c.NoConfirm}
	if err := ring.Put(ctx, key); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "Key %s for tenant %q. It is shown this once; keep it where your server's secrets are.\n",
		key.ID, c.Tenant)
	_, err = fmt.Fprintln(std.out, secret)
	return err
}

type listKeysCommand struct{}

// Run prints a line per key, oldest first.
func (c *listKeysCommand) Run(ctx context.Context, keys *keyCommand, std streams) (err error) {
	ring, end, err := keys.ring(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	list, _, err := ring.Keys(ctx)
	if err != nil {
		return err
	}
	return printKeys(std.out, list)
}

func printKeys(w io.Writer, list []auth.Key) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tTENANT\tCREATED\tLAST USED\tREVOKED\tMAY\tNAME")
	for _, k := range list {
		fmt.Fprintf(table, "%s\t%q\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Tenant, day(k.Created), day(k.LastUsed),
			day(k.Revoked), scope(k.Allowance), k.Name)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print keys: %w", err)
	}
	return nil
}

// scope is what a key may do, in words.
func scope(a auth.Allowance) string {
	may := "everything"
	if a.Families != nil {
		may = strings.Join(a.Families, ",")
	}
	if a.NoConfirm {
		may += " but confirm"
	}
	return may
}

// checkFamilies refuses names that are no families of tools.
func checkFamilies(flag string, names []string) error {
	for _, name := range names {
		if known := functions.Families(); !slices.Contains(known, name) {
			return misuse{fmt.Errorf("%s: %q is no family of tools; they are %s", flag, name, strings.Join(known, ", "))}
		}
	}
	return nil
}

func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

type revokeKeyCommand struct {
	ID string `arg:"" help:"The key's id, as 'convene key list' shows it."`
}

// Run revokes the key. The door stays closed, even after the last one.
func (c *revokeKeyCommand) Run(ctx context.Context, keys *keyCommand, std streams) (err error) {
	ring, end, err := keys.ring(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	err = ring.Revoke(ctx, auth.KeyID(c.ID), time.Now())
	if fault.CodeOf(err) == fault.NotFound {
		return fmt.Errorf("there is no key %q; 'convene key list' shows them", c.ID)
	}
	if err == nil {
		_, err = fmt.Fprintf(std.out, "Revoked %s. It stops working within seconds.\n", c.ID)
	}
	return err
}
