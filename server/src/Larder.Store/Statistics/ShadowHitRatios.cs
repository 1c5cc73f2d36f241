namespace Larder.Store;

/// <summary>
/// Estimated hit ratios, 0 to 1, of recent traffic with other amounts of memory, played on a sample of the keys. TTLs and flushes are
/// not played. With few entries, or few keys that make most of the traffic, the sample may be off; the differences between the three hold better.
/// </summary>
/// <param name="HalfMemory">With half the memory.</param>
/// <param name="PresentMemory">With the memory there is.</param>
/// <param name="DoubleMemory">With twice the memory.</param>
public readonly record struct ShadowHitRatios(double HalfMemory, double PresentMemory, double DoubleMemory);
