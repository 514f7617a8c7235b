"""The base form of words whose inflections no ending tells, and of British spellings: as everyday words are compared."""

_FORMS = (
    "beat beaten|begin began begun|break broke broken|bring brought|build built|buy bought|catch caught|"
    "choose chose chosen|come came|deal dealt|draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|"
    "fight fought|find found|flee fled|fly flew flown|freeze froze frozen|get got gotten|give gave given|go went gone|"
    "grow grew grown|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent|"
    "lose lost|make made|meet met|pay paid|ride rode ridden|rise rose risen|run ran|seek sought|sell sold|send sent|"
    "shake shook shaken|shrink shrank shrunk|sink sank sunk|slide slid|speak spoke spoken|spend spent|spin spun|"
    "stand stood|steal stole stolen|stick stuck|strike struck|swell swollen|take took taken|teach taught|tell told|"
    "throw threw thrown|win won|withdraw withdrew withdrawn|write wrote written|woman women|child children|"
    "thief thieves|labor labour|color colour|favor favour|flavor flavour|behavior behaviour|neighbor neighbour|"
    "center centre|fiber fibre|theater theatre|defense defence|license licence|program programme|tire tyre|"
    "aluminum aluminium|judgment judgement|organize organise organised organising|"
    "recognize recognise recognised recognising|unionize unionise unionised|nationalize nationalise nationalised"
)

# Per inflected form, the base.
BASES = {form: base for row in _FORMS.split("|") for base, *forms in [row.split()] for form in forms}
