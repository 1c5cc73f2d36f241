namespace Larder.Store.Collections;

/// <summary>Scores from one to another.</summary>
/// <param name="Min">The smallest; null: no bound.</param>
/// <param name="Max">The largest; null: no bound.</param>
/// <param name="ExcludesMin">Whether the smallest itself is left out.</param>
/// <param name="ExcludesMax">Whether the largest itself is left out.</param>
public readonly record struct ScoreRange(double? Min = null, double? Max = null, bool ExcludesMin = false, bool ExcludesMax = false);
