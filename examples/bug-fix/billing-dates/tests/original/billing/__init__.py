"""When subscriptions are due."""

from billing.schedule import add_months, due_dates, invoice_count, next_due

__all__ = ["add_months", "due_dates", "invoice_count", "next_due"]
