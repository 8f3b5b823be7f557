//! Whether the machine runs on its battery, where the system says so.

use std::fs;
use std::path::Path;

/// Where Linux describes batteries and chargers.
const POWER_SUPPLY: &str = "/sys/class/power_supply";

/// Whether this machine runs on its battery. False where that can't be known.
pub(super) fn is_on_battery() -> bool {
    cfg!(target_os = "linux") && discharges(Path::new(POWER_SUPPLY))
}

/// Whether the supplies in this folder say that no charger is plugged in and a battery is used.
fn discharges(folder: &Path) -> bool {
    let Ok(supplies) = fs::read_dir(folder) else { return false };
    let mut charger = None;
    let mut discharging = false;
    for supply in supplies.flatten() {
        let read = |name: &str| fs::read_to_string(supply.path().join(name)).unwrap_or_default().trim().to_owned();
        match read("type").as_str() {
            "Mains" | "USB" => charger = Some(charger.unwrap_or(false) || read("online") == "1"),
            // Mice and keyboards have batteries too; theirs power no machine.
            "Battery" if read("scope") != "Device" => discharging |= read("status") == "Discharging",
            _ => {}
        }
    }
    match charger {
        Some(true) => false,
        Some(false) => discharging || !has_battery_status(folder),
        None => discharging,
    }
}

/// Whether a battery says what it does.
fn has_battery_status(folder: &Path) -> bool {
    let Ok(supplies) = fs::read_dir(folder) else { return false };
    supplies.flatten().any(|supply| supply.path().join("status").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a machine with these supplies runs on its battery; each is a name with its files.
    fn check(supplies: &[(&str, &[(&str, &str)])]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for (name, files) in supplies {
            let supply = folder.path().join(name);
            fs::create_dir(&supply).unwrap();
            files.iter().for_each(|(file, text)| fs::write(supply.join(file), format!("{text}\n")).unwrap());
        }
        discharges(folder.path())
    }

    const PLUGGED: (&str, &[(&str, &str)]) = ("AC", &[("type", "Mains"), ("online", "1")]);
    const UNPLUGGED: (&str, &[(&str, &str)]) = ("AC", &[("type", "Mains"), ("online", "0")]);
    const DISCHARGING: (&str, &[(&str, &str)]) = ("BAT0", &[("type", "Battery"), ("status", "Discharging")]);
    const FULL: (&str, &[(&str, &str)]) = ("BAT0", &[("type", "Battery"), ("status", "Full")]);
    const MOUSE: (&str, &[(&str, &str)]) =
        ("hid", &[("type", "Battery"), ("scope", "Device"), ("status", "Discharging")]);

    #[test]
    fn a_machine_without_batteries_is_not_on_battery() {
        assert!(!check(&[]));
        assert!(!check(&[PLUGGED]));
        assert!(!check(&[MOUSE]));
        assert!(!discharges(Path::new("/nowhere/at/all")));
    }

    #[test]
    fn a_laptop_is_on_battery_when_unplugged() {
        assert!(check(&[UNPLUGGED, DISCHARGING]));
        assert!(check(&[DISCHARGING]));
        assert!(check(&[UNPLUGGED]), "a charger without current, and nothing known of the battery");
        assert!(!check(&[PLUGGED, DISCHARGING]), "a weak charger is a charger");
        assert!(!check(&[PLUGGED, FULL]));
        assert!(!check(&[UNPLUGGED, FULL]), "another charger that the system does not list");
    }

    #[test]
    fn any_of_several_chargers_will_do() {
        let usb = |online| [("type", "USB"), ("online", online)];
        assert!(!check(&[UNPLUGGED, ("ucsi", &usb("1")), DISCHARGING]));
        assert!(check(&[UNPLUGGED, ("ucsi", &usb("0")), DISCHARGING]));
    }
}
