"""The sorter: where each parcel goes."""
