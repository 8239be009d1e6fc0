"""The service as an OAuth 2.1 and OpenID Connect provider for other applications (`[auth.oauth_server]`).

Upstream: supabase/auth, `internal/api/oauthserver`. Where this is stricter: supabase/STRICTER.md.
"""
