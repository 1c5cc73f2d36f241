namespace Larder.Store;

/// <summary>
/// The estimated hit ratios of recent traffic with different memory sizes: 0 to 1. They are simulated with a sample of the keys. TTLs and flushes are not
/// simulated. If there are few entries, or if few keys cause most of the traffic, the ratios may be inaccurate. The differences between the three ratios are
/// more reliable.
/// </summary>
/// <param name="HalfMemory">The hit ratio with half the memory.</param>
/// <param name="PresentMemory">The hit ratio with the current memory.</param>
/// <param name="DoubleMemory">The hit ratio with twice the memory.</param>
public readonly record struct ShadowHitRatios(double HalfMemory, double PresentMemory, double DoubleMemory);
