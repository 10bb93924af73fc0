"""The sections of the page, one file each: a subject in, a `Section` of claims, figures and tables out."""
