namespace Larder.Client;

/// <summary>An end of a range of scores. A <see cref="double"/> converts to one that is in the range itself.</summary>
/// <param name="Score">The score: a number, or infinite.</param>
/// <param name="IsExclusive">Whether elements of exactly that score are left out.</param>
public readonly record struct ScoreBound(double Score, bool IsExclusive = false)
{
    /// <summary>A bound that is in the range itself.</summary>
    /// <param name="score">The score: a number, or infinite.</param>
    public static ScoreBound Inclusive(double score) => new(score);

    /// <summary>A bound that is in the range itself: <see cref="Inclusive"/>.</summary>
    /// <param name="score">The score: a number, or infinite.</param>
    public static ScoreBound FromDouble(double score) => new(score);

    /// <summary>A bound that is not in the range itself.</summary>
    /// <param name="score">The score: a number, or infinite.</param>
    public static ScoreBound Exclusive(double score) => new(score, IsExclusive: true);

    /// <summary>A bound that is in the range itself: <see cref="Inclusive"/>.</summary>
    public static implicit operator ScoreBound(double score) => new(score);
}
