"""`completion …`: scripts by which shells complete commands.

What may follow which words is written into them as a table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from localbase.cli import parser
from localbase.cli.call import Call
from localbase.cli.parser import accept
from localbase.cli.terminal import program

Following = Mapping[str, list[str]]

# The words before the one that is being typed, without flags, are the key of the table; a word that is none (an
# argument) leaves it as it is.
_BASH = """_{name}_follows() {{
  case "$1" in
{cases}
    *) return 1 ;;
  esac
}}

_{name}_complete() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
      -*) ;;
      *) if _{name}_follows "${{path:+$path }}$word" >/dev/null; then path=${{path:+$path }}$word; fi ;;
    esac
  done
  COMPREPLY=($(compgen -W "$(_{name}_follows "$path")" -- "$current"))
}}

complete -o default -F _{name}_complete {name}
"""
_ZSH = """#compdef {name}
_{name}_follows() {{
  case "$1" in
{cases}
    *) return 1 ;;
  esac
}}

_{name}() {{
  local chosen="" word
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case $word in
      -*) ;;
      *) if _{name}_follows "${{chosen:+$chosen }}$word" >/dev/null; then chosen="${{chosen:+$chosen }}$word"; fi ;;
    esac
  done
  compadd -- ${{=$(_{name}_follows "$chosen")}} || _files
}}

compdef _{name} {name}
"""
_FISH = """function __{name}_follows
  switch "$argv[1]"
{cases}
    case '*'
      return 1
  end
end

function __{name}_complete
  set -l chosen ''
  for word in (commandline -opc)[2..-1]
    if string match -q -- '-*' $word
      continue
    end
    set -l next (string trim -- "$chosen $word")
    if __{name}_follows $next >/dev/null
      set chosen $next
    end
  end
  __{name}_follows $chosen
end

complete -c {name} -a '(__{name}_complete)'
"""
_POWERSHELL = """Register-ArgumentCompleter -Native -CommandName {name} -ScriptBlock {{
  param($wordToComplete, $commandAst, $cursorPosition)
  $follows = @{{
{cases}
  }}
  $chosen = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {{
    $word = $element.ToString()
    if ($word -eq $wordToComplete -or $word.StartsWith('-')) {{ continue }}
    $next = "$chosen $word".Trim()
    if ($follows.ContainsKey($next)) {{ $chosen = $next }}
  }}
  $follows[$chosen] -split ' ' | Where-Object {{ $_ -like "$wordToComplete*" }} | ForEach-Object {{
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }}
}}
"""


def _script(template: str, case: str) -> Callable[[str, Following], str]:
    def script(name: str, following: Following) -> str:
        cases = [
            case.format(words=words, after=" ".join(after), lines="\\n".join(after))
            for words, after in following.items()
        ]
        return template.format(name=name, cases="\n".join(cases))

    return script


scripts: Mapping[str, Callable[[str, Following], str]] = {
    "bash": _script(_BASH, "    '{words}') echo '{after}' ;;"),
    "zsh": _script(_ZSH, "    '{words}') echo '{after}' ;;"),
    "fish": _script(_FISH, "    case '{words}'\n      printf '{lines}\\n'"),
    "powershell": _script(_POWERSHELL, "    '{words}' = '{after}'"),
}


# `completion bash | fish | powershell | zsh`: a script for the shell, with every command and its flags.


def shell_arguments(arguments: argparse.ArgumentParser) -> None:
    """It takes none of meaning."""
    accept(arguments, "--no-descriptions", reason="there are none")


def run_shell(call: Call) -> int:
    """Prints the script."""
    shell = call.options.words.rsplit(" ", 1)[-1]
    print(scripts[shell](program(), parser.words_and_flags()), end="")
    return 0
