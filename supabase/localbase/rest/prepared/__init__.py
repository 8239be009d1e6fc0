"""Prepared requests: one layer between a request and its statement, for the fast path and the ASGI path alike.

    parts = split_request(line, body)            # constant parts + operands
    prepared = cache.find_or_prepare(...)        # parse, plan, SQL, settings, headers: once for all operands
    bound = prepared.bind(parts.operands, body)  # operands and body in their places
    database.submit(bound.batch, ...)            # one round trip; then render

These invariants make a bound request equal to one that was parsed by itself. A property test compares the two.

1. **What is cached under some bytes was computed from those bytes alone.** The key is the header block, the constant
   parts of the request line, and the keys of the body. The request that is parsed to prepare it has marks in the
   place of operands and body: no client's operand is ever looked at.
2. **All headers decide**, for SQL can read each of them (`request.headers`). Two blocks are the same if they are the
   same bytes but for the value of `Content-Length`, which is bound with the body; on the ASGI path, if names, values,
   their order and the caller are the same. The caller is a function of the block and of the generation's
   authenticator. Every request checks whether the token is still valid.
3. **An operand is what follows `=eq.` or another operator that reads all the rest, up to `&` or a space**, or the value
   of a GET call's argument. It has printable ASCII characters without `#` and `;`. What follows an operand that another
   character ends is a constant part. A short list of `in` has an operand for each item, and its brackets and commas are
   constant parts; a list with quotes or with many items is one operand. A request is prepared only if the parser gives
   every mark back as one whole value. `limit`, `order`, `select` and conditions within `or=()` are constant parts.
4. **Operands are read as the parser reads them**: percent-decoded, `*` as `%` for `like`, a long list as an array. One
   that the parser would reject or take for something else (a NUL, a broken list, a short list with quotes, an argument
   that begins like an operator or an API key) is not bound, and the whole request is parsed.
5. **A body is its keys and its bytes.** JSON objects, and lists of objects with the same keys, differ in one parameter.
   All other bodies are parsed each time, large ones in a process of their own.
6. **The cache dies with its schema generation**: a new reading of the schema, its settings or its authenticator begins
   with an empty one. A request that is running ends under the generation that it began with.
7. **The cache is bounded** by entries and by bytes, and so is each entry: long request lines, header blocks and
   statements are not cached. Requests that cannot be prepared are remembered as such, within the same bounds.

8. **What comes once is not prepared.** A request without a body whose key is new is parsed with its operands and run
   as it is, and Postgres prepares its statement only if another request had the same plan. From the second time on it
   is prepared as above.

Errors are never cached: a request that cannot be prepared is parsed, and the parser's error is the response.
"""
