"""The page on which a person chooses an account. It says that it is an emulator, and imitates no brand."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

_HIDDEN_FIELDS = ("client_id", "redirect_uri", "response_type", "scope", "state", "nonce")
_STYLE = """
:root { color-scheme: light dark }
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px;
  font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f2f4f8, #16181c);
  color: light-dark(#1d2024, #e8eaee) }
main { width: min(420px, 100%); padding: 32px; border-radius: 16px; background: light-dark(#fff, #1f2227);
  border: 1px solid light-dark(#dde1e8, #343941) }
h1 { font-size: 22px; margin: 0 0 4px } p { margin: 0 0 20px; color: light-dark(#5a616b, #a9b0bb); font-size: 14px }
button { font: inherit; color: inherit; cursor: pointer; background: none;
  border: 1px solid light-dark(#c9cfd9, #454b55); border-radius: 10px; padding: 10px 14px }
.account { display: block; width: 100%; text-align: left; margin-bottom: 8px }
.account span { display: block; font-size: 13px; color: light-dark(#5a616b, #a9b0bb) }
button:hover { background: light-dark(#f4f6fb, #282c33) }
:focus-visible { outline: 3px solid #5b8def; outline-offset: 2px }
label { display: block; font-size: 14px; margin-top: 10px }
input { font: inherit; color: inherit; width: 100%; padding: 9px 12px; border-radius: 10px; background: none;
  border: 1px solid light-dark(#9aa2ae, #5b626d) }
fieldset { border: 0; padding: 16px 0 0; margin: 16px 0 0; border-top: 1px solid light-dark(#dde1e8, #343941) }
.row { display: flex; flex-direction: row-reverse; gap: 8px; justify-content: space-between; margin-top: 16px }
[role=alert] { color: light-dark(#b3261e, #ffb4ab); font-size: 14px }
"""


def sign_in_page(
    accounts: Sequence[tuple[str, str]], parameters: Mapping[str, str], problem: str = ""
) -> str:
    """The page, with the request in hidden fields."""
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(parameters.get(name, ""))}">'
        for name in _HIDDEN_FIELDS
    )
    chosen = "".join(
        f'<button class="account" name="account" value="{html.escape(f"{name}|{email}")}">'
        f"{html.escape(name)}<span>{html.escape(email)}</span></button>"
        for name, email in accounts
    )
    alert = f'<p role="alert">{html.escape(problem)}</p>' if problem else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in (emulated Google)</title><link rel="icon" href="data:,"><style>{_STYLE}</style></head>
<body><main><h1>Choose an account</h1><p>Emulated Google: no real account is involved.</p>{alert}
<form method="post">{hidden}{chosen}</form>
<form method="post">{hidden}<fieldset><label>Name<input name="name" autocomplete="off"></label>
<label>E-mail<input name="email" type="email" autocomplete="off"></label>
<div class="row"><button name="action" value="other">Use this account</button>
<button name="action" value="deny">Cancel</button></div></fieldset></form></main></body></html>"""
