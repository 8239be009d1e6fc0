"""Plans as SQL: one statement per request, whose text depends on the plan alone.

What a client sends gets into it in three ways only: names through `identifier`, JSON keys and languages
through `literal`, everything else as `$n`.
"""
