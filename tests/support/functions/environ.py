"""A deployment's environment of functions, with a running stack as Supabase and its emulators as vendors."""

from __future__ import annotations

from tests.support.stacks import Stack


def function_environ(stack: Stack) -> dict[str, str]:
    return {
        "SUPABASE_URL": stack.api_url,
        "SUPABASE_SERVICE_ROLE_KEY": stack.service_role_key,
        "STRIPE_SECRET_KEY": "sk_test_emulator",
        "STRIPE_WEBHOOK_SECRET": "whsec_emulator",
        "STRIPE_API_BASE": f"{stack.emulators_url}/stripe",
        "PRINTIFY_API_TOKEN": "printify_emulator_token",
        "PRINTIFY_SHOP_ID": "1",
        "PRINTIFY_WEBHOOK_SECRET": "pfysec_emulator",
        "PRINTIFY_API_BASE": f"{stack.emulators_url}/printify",
        "REPLICATE_API_TOKEN": "r8_emulator",
        "REPLICATE_BASE_URL": f"{stack.emulators_url}/replicate",
        "ZIPPOPOTAM_API_BASE": f"{stack.emulators_url}/zippopotam",
        "SMTP_HOST": "127.0.0.1",
        # what the stack's own functions allow one person
        **{name: value for name, value in stack.environ.items() if name.startswith("ORDERS_PER_")},
    }
