import OverlineTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that makes a tun or tap device.
  static var needsTunDevice: Self {
    .enabled(
      if: TunDevice.canBeMade,
      "COULD NOT RUN: /dev/net/tun is missing or for another user alone; run the tests as root, or chmod 0666 /dev/net/tun"
    )
  }
}
