"""Words of the text that the checks have to know: what a translation changes.

Each is a pattern, so that a text can be translated section by section: with
``Sections?|Abschnitte?``, say, both languages are read.
"""

SECTION = "[Ss]ections?"  # of "section 3" and "sections 1, 4 and 6": a number that is no result
EXERCISE = "Exercises?"
JOIN = "and|to|or"
ANSWERS = "This section answers:"  # how a section begins
CARRY_ON = "Carry on with:"  # how it ends
ASIDE = "Aside[.]"  # a quotation that the site puts into the margin
GRADE = "(by hand|code), (easy|middle|hard)"  # of an exercise
HINT, SOLUTION = "Hint", "Solution"
QUIZ = "Test yourself"
FOR_CODE = "If you write code"  # how a fold for readers of code begins
