"""One module per outside service: its wire protocol in, plain values or a `ShopError` out."""
