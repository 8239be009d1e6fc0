"""`python -m localbase`: the `supabase` command."""

from localbase.cli.main import main

raise SystemExit(main())
