namespace Larder.Store.Collections;

/// <summary>A range of scores.</summary>
/// <param name="Min">The minimum score; null if there is no minimum.</param>
/// <param name="Max">The maximum score; null if there is no maximum.</param>
/// <param name="ExcludesMin">Whether the minimum itself is excluded.</param>
/// <param name="ExcludesMax">Whether the maximum itself is excluded.</param>
public readonly record struct ScoreRange(double? Min = null, double? Max = null, bool ExcludesMin = false, bool ExcludesMax = false);
