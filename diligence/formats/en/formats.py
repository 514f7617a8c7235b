"""The admin's date formats, as on our pages: 28 Sep 2024, 17:05 UTC."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = r"j M Y, H:i \U\T\C"
TIME_FORMAT = "H:i"
