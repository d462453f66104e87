/* Between the search's settings and the search itself. */
"use strict";

// A result's summary is read from its page, which a browser forbids to pages opened as files.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
