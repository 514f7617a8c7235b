"""Questions on quarterly reports, earnings releases, proxies and annual reports of foreign companies, with verified truths."""
