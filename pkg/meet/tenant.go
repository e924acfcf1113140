package meet

import "context"

// Tenant names one of the sites that share a service and cannot see each other's data. The zero value is the only
// tenant of a service without keys.
type Tenant string

type tenantKey struct{}

// InTenant is ctx on behalf of the tenant. Everything stored or read with it belongs to the tenant: ids of other
// tenants are not found. Work that outlives its request must store the tenant and enter it anew.
func InTenant(ctx context.Context, t Tenant) context.Context {
	return context.WithValue(ctx, tenantKey{}, t)
}

// TenantOf is the tenant on whose behalf ctx is.
func TenantOf(ctx context.Context) Tenant {
	t, _ := ctx.Value(tenantKey{}).(Tenant)
	return t
}
