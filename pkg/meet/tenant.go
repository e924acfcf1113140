package meet

import "context"

// Tenant names one of the sites that share a service; none sees what belongs to another. The zero value is the only
// tenant of a service without keys.
type Tenant string

type tenantKey struct{}

// InTenant is ctx on behalf of the tenant. Whatever is stored or read with it is the tenant's own: ids of another
// tenant's things are not found. Work that outlives its request, or that is found again later, says for whom it is done
// by entering the tenant anew.
func InTenant(ctx context.Context, t Tenant) context.Context {
	return context.WithValue(ctx, tenantKey{}, t)
}

// TenantOf is on whose behalf ctx is.
func TenantOf(ctx context.Context) Tenant {
	t, _ := ctx.Value(tenantKey{}).(Tenant)
	return t
}
