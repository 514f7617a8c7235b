"""The cover page of a fictional report, with the tags of the cover."""

from html import escape

from evals.sample.fictional.inline import Inline
from evals.sample.fictional.issuer import Issuer, Report, long_date

FICTIONAL = (
    "This registrant is fictional. The report was written for the sample of Diligence: the company, its people, its "
    "customers and its figures do not exist, and nothing in it was filed with the Commission."
)


def cover(issuer: Issuer, report: Report, inline: Inline) -> str:
    """The markup of the cover."""

    def dei(name: str, text: str, form: str = "") -> str:
        return inline.text(f"dei:{name}", escape(text, quote=False), form)

    def box(name: str, yes: bool) -> str:
        return inline.text(f"dei:{name}", "&#9746;" if yes else "&#9744;", "ixt-sec:boolballotbox")

    end = inline.report[1]
    at_july = inline.number(
        "dei:EntityPublicFloat",
        f"{report.float:,}",
        report.float,
        (report.float_date, report.float_date),
        scale=6,
        decimals=-6,
    )
    shares = inline.number(
        "dei:EntityCommonStockSharesOutstanding",
        f"{report.shares:,}",
        report.shares,
        (report.shares_date, report.shares_date),
        unit="shares",
    )
    place = issuer.address
    lines = [
        ("700;font-size:14pt", "UNITED STATES<br/>SECURITIES AND EXCHANGE COMMISSION"),
        ("400", "Washington, D.C. 20549"),
        ("700;font-size:14pt", f"FORM {dei('DocumentType', '10-K')}"),
        (
            "400",
            f"{box('DocumentAnnualReport', True)} ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934",
        ),
        (
            "700",
            f"For the fiscal year ended {dei('DocumentPeriodEndDate', long_date(end), 'ixt:date-monthname-day-year-en')}",
        ),
        (
            "400",
            f"{box('DocumentTransitionReport', False)} TRANSITION REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934",
        ),
        ("400", f"Commission File Number {dei('EntityFileNumber', issuer.file_number)}"),
        ("700;font-size:18pt", dei("EntityRegistrantName", issuer.name)),
        ("700", escape(FICTIONAL)),
        (
            "400",
            f"{dei('EntityIncorporationStateCountryCode', issuer.state_name, 'ixt-sec:stateprovnameen')} &#160;&#160; "
            f"{dei('EntityTaxIdentificationNumber', issuer.tax_id)}<br/>(State of incorporation) &#160; (I.R.S. Employer Identification No.)",
        ),
        (
            "400",
            f"{dei('EntityAddressAddressLine1', place['street'])}, {dei('EntityAddressCityOrTown', place['city'])}, "
            f"{dei('EntityAddressStateOrProvince', place['state'], 'ixt-sec:stateprovnameen')} "
            f"{dei('EntityAddressPostalZipCode', place['zip'])}<br/>(Address of principal executive offices)",
        ),
        (
            "400",
            f"({dei('CityAreaCode', place['area'])}) {dei('LocalPhoneNumber', '555-0100')}<br/>(Registrant&#8217;s telephone number)",
        ),
        ("400", "Securities registered pursuant to Section 12(b) of the Act:"),
    ]
    made = [
        f'<div style="text-align:center;margin:6pt 0"><span style="font-weight:{style}">{text}</span></div>'
        for style, text in lines
    ]
    cell = '<td style="padding:2px 4pt;text-align:center"><span>{}</span></td>'
    heads = "".join(
        cell.format(name)
        for name in ("Title of each class", "Trading Symbol", "Name of each exchange on which registered")
    )
    row = "".join(
        cell.format(text)
        for text in (
            dei("Security12bTitle", issuer.security),
            dei("TradingSymbol", issuer.ticker),
            dei("SecurityExchangeName", issuer.exchange_name, "ixt-sec:exchnameen"),
        )
    )
    made.append(f'<table style="width:100%;border-collapse:collapse"><tr>{heads}</tr><tr>{row}</tr></table>')
    marks = [
        (
            "EntityWellKnownSeasonedIssuer",
            "a well-known seasoned issuer, as defined in Rule 405 of the Securities Act",
            False,
        ),
        ("EntityVoluntaryFilers", "not required to file reports pursuant to Section 13 or 15(d) of the Act", False),
        (
            "EntityCurrentReportingStatus",
            "up to date with all reports required by Section 13 or 15(d) of the Act",
            True,
        ),
        ("EntitySmallBusiness", "a smaller reporting company", False),
        ("EntityEmergingGrowthCompany", "an emerging growth company", False),
        ("EntityShellCompany", "a shell company", False),
    ]
    for name, text, yes in marks:
        made.append(
            f'<div style="margin-top:4pt"><span>Indicate by check mark whether the registrant is {text}. {box(name, yes)}</span></div>'
        )
    made.append(
        f'<div style="margin-top:4pt"><span>Filer category: {dei("EntityFilerCategory", "Accelerated filer", "ixt-sec:entityfilercategoryen")}. '
        f"Internal control attestation by the auditor: {box('IcfrAuditorAttestationFlag', True)}</span></div>"
        f'<div style="margin-top:4pt"><span>The aggregate market value of the common stock held by non-affiliates on '
        f"{long_date(report.float_date)}, the last business day of the second fiscal quarter, was ${at_july} million. "
        f"On {long_date(report.shares_date)}, {shares} shares of common stock were outstanding.</span></div>"
        '<div style="text-align:center;margin-top:6pt"><span style="font-weight:700">DOCUMENTS INCORPORATED BY REFERENCE</span></div>'
        f'<div style="margin-top:4pt"><span>{escape(issuer.incorporated)}</span></div>'
        f'<div style="margin-top:4pt"><span>Auditor: {dei("AuditorName", issuer.auditor["name"])}, '
        f"{dei('AuditorLocation', issuer.auditor['location'])} (PCAOB ID {dei('AuditorFirmId', issuer.auditor['firm'])})</span></div>"
    )
    return "".join(made)


def hidden(issuer: Issuer, report: Report) -> dict[str, str]:
    """The cover's tags that are printed nowhere."""
    return {
        "EntityCentralIndexKey": f"{issuer.cik:010d}",
        "AmendmentFlag": "false",
        "DocumentFiscalYearFocus": str(report.year),
        "DocumentFiscalPeriodFocus": "FY",
        "CurrentFiscalYearEndDate": f"--{issuer.year_end[:2]}-{issuer.year_end[2:]}",
    }
