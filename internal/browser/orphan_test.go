package browser

const victimVariable = "TRAWL_BROWSER_TEST_VICTIM"

func beVictim() {}
