"""Colours, type and sizes: the one place where the look of the pictures is set.

Every flat colour is *reserved*: it stands for a role and for nothing else.
The site's style sheet has a rule for each, so that one SVG serves the light and
the dark theme.  The second colour of each pair is its dark counterpart.
Text on a filled cell is always in ink: the fills are pale enough in the light
theme, and dark enough in the dark one, for a contrast of 4.5 to 1 at any
opacity (a test measures it).
"""

from pathlib import Path

from matplotlib import font_manager, get_data_path

#               light      dark
PALETTE = {
    "ink": ("#1b2733", "#e4eaf0"),  # text and lines
    "paper": ("#fefefd", "#14181d"),  # the ground
    "muted": ("#566573", "#a3b2c0"),  # second voice: notes, axis numbers
    "faint": ("#d5dbe1", "#3b4650"),  # hairlines
    "token": ("#6b7280", "#a9b3bf"),  # plain token vectors
    "query": ("#2f6690", "#7fbaea"),
    "key": ("#b3452c", "#f2a088"),
    "value": ("#2d7d46", "#7fcb96"),
    "output": ("#8a3b8f", "#dba0e0"),
    "weight": ("#6ea8dc", "#2d5f8b"),  # fill of a weight, opacity = weight
    "positive": ("#e8a33d", "#85580f"),  # fill of a score above 0
    "negative": ("#7f9ccb", "#3f578a"),  # fill of a score below 0
    # The same three where nothing is written on them: bars, arrows, areas.
    "weight-mark": ("#6ca7db", "#5e9ccf"),
    "positive-mark": ("#e6a13b", "#cf962f"),
    "negative-mark": ("#7d9aca", "#7f9bd0"),
    "hatch": ("#8d97a1", "#6d7a86"),  # what is forbidden
}
COLOURS = {role: light for role, (light, _) in PALETTE.items()}

MEASURE = 5.8  # width of every picture, in inches
NUMBER = 11.0  # size of a number in a cell, in points: 10 px on a phone
LABEL = 11.0
SMALL = 10.5  # the smallest text that a picture may use
TITLE = 12.5
TINT = 0.16  # opacity of a cell that only says whose number it holds

STYLE = Path(__file__).with_name("course.mplstyle")

# Pictures are drawn with the face that Matplotlib brings. The machine may have another edition of it,
# whose glyphs are numbered differently, and Matplotlib's cached list may know only that one.
for face in sorted(Path(get_data_path(), "fonts", "ttf").glob("DejaVuSans*.ttf"), reverse=True):
    font_manager.fontManager.ttflist.insert(0, font_manager.ttfFontProperty(font_manager.get_font(face)))
