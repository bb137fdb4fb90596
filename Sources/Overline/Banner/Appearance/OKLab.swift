/// A colour in OKLab (Björn Ottosson, 2020), where equal steps look equal. Fades are computed in OKLab.
///
/// The standard library has no powers or roots, and this folder imports no C library, so Newton's method computes the two
/// roots.
struct OKLab: Equatable {
  var lightness: Double
  var a: Double
  var b: Double

  static let white = OKLab(lightness: 1, a: 0, b: 0)
  static let black = OKLab(lightness: 0, a: 0, b: 0)

  init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  init(_ color: TerminalColor.RGB) {
    let red = linearChannels[Int(color.red)]
    let green = linearChannels[Int(color.green)]
    let blue = linearChannels[Int(color.blue)]
    let l = cubeRoot(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cubeRoot(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cubeRoot(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
  }

  /// The nearest sRGB colour; channels outside sRGB are clipped.
  var rgb: TerminalColor.RGB {
    let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return TerminalColor.RGB(
      nearestChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      nearestChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      nearestChannel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
  }

  private var chroma: Double { (a * a + b * b).squareRoot() }

  /// True if the colour is too weak to have a name: below this limit a tint is visible only beside a true grey.
  var isGray: Bool { chroma < 0.04 }

  /// The cosine between two hues: 1 for the same, -1 for opposite ones. Neither colour may be grey.
  func likenessOfHue(to other: OKLab) -> Double {
    (a * other.a + b * other.b) / (chroma * other.chroma)
  }

  /// The difference in look between two colours, squared.
  func squaredDistance(to other: OKLab) -> Double {
    let (l, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
    return l * l + a * a + b * b
  }

  /// The colour `fraction` (0…1) of the way to `other`.
  func mixed(with other: OKLab, _ fraction: Double) -> OKLab {
    OKLab(
      lightness: lightness + (other.lightness - lightness) * fraction,
      a: a + (other.a - a) * fraction,
      b: b + (other.b - b) * fraction)
  }
}

/// The linear light, 0…1, of each of the 256 channel values (IEC 61966-2-1), in rising order.
let linearChannels: [Double] = (0...255).map { value in
  let channel = Double(value) / 255
  if channel <= 0.04045 { return channel / 12.92 }
  // x^2.4 = x² · (x²)^(1/5)
  let square = power((channel + 0.055) / 1.055, 2)
  return square * root(of: square, degree: 5)
}

/// The channel value with the nearest light.
private func nearestChannel(_ light: Double) -> UInt8 {
  var low = 0
  var high = 255
  while high - low > 1 {
    let middle = (low + high) / 2
    if linearChannels[middle] <= light { low = middle } else { high = middle }
  }
  return UInt8(light - linearChannels[low] < linearChannels[high] - light ? low : high)
}

private func power(_ value: Double, _ exponent: Int) -> Double {
  (1..<exponent).reduce(value) { product, _ in product * value }
}

private func cube(_ value: Double) -> Double { power(value, 3) }

private func cubeRoot(_ value: Double) -> Double { root(of: value, degree: 3) }

/// The root of a value of 0…1. Newton's method starts above the root. The guess falls by at least a fifth per step until it is near the
/// root, then doubles its correct digits: 64 steps are more than any 8-bit colour needs.
private func root(of value: Double, degree: Int) -> Double {
  guard value > 0 else { return 0 }
  var guess = max(1, value)
  for _ in 0..<64 {
    let next = guess - (guess - value / power(guess, degree - 1)) / Double(degree)
    if next >= guess { break }
    guess = next
  }
  return guess
}
