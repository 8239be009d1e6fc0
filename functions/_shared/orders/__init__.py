"""From a cart to a delivered parcel, or a refund."""
