"""A battery and a plug, for devices that run on them."""


class Power:
    """Power supplies as the kernel lists them: a battery and a plug."""

    def __init__(self, folder):
        self.folder = folder
        self.tell("BAT0/type", "Battery")
        self.tell("AC/type", "Mains")
        self.plug_in()

    def of(self, device):
        """They are this device's, as of the next start of its agent."""
        device.environment["BOTHY_TEST_POWER_SUPPLY"] = str(self.folder)
        return self

    def tell(self, file, word):
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(word + "\n")

    def pull(self):
        self.tell("AC/online", "0")
        self.tell("BAT0/status", "Discharging")

    def plug_in(self):
        self.tell("AC/online", "1")
        self.tell("BAT0/status", "Charging")
