namespace Larder.Store;

/// <summary>
/// Estimated hit ratios of recent traffic with other memory sizes, 0 to 1, simulated with a sample of the keys. TTLs and flushes are not simulated. With few
/// entries, or few keys that cause most of the traffic, the sample may be inaccurate; the differences between the three ratios are more reliable.
/// </summary>
/// <param name="HalfMemory">The hit ratio with half the memory.</param>
/// <param name="PresentMemory">The hit ratio with the current memory.</param>
/// <param name="DoubleMemory">The hit ratio with twice the memory.</param>
public readonly record struct ShadowHitRatios(double HalfMemory, double PresentMemory, double DoubleMemory);
