namespace Larder.Client;

/// <summary>One end of a range of scores. A <see cref="double"/> converts implicitly to an inclusive bound.</summary>
/// <param name="Score">The score: a number, finite or infinite.</param>
/// <param name="IsExclusive">Whether elements with exactly this score are excluded.</param>
public readonly record struct ScoreBound(double Score, bool IsExclusive = false)
{
    /// <summary>Returns an inclusive bound.</summary>
    /// <param name="score">The score: a number, finite or infinite.</param>
    public static ScoreBound Inclusive(double score) => new(score);

    /// <summary>Returns an inclusive bound. This is an alias of <see cref="Inclusive"/>.</summary>
    /// <param name="score">The score: a number, finite or infinite.</param>
    public static ScoreBound FromDouble(double score) => new(score);

    /// <summary>Returns an exclusive bound.</summary>
    /// <param name="score">The score: a number, finite or infinite.</param>
    public static ScoreBound Exclusive(double score) => new(score, IsExclusive: true);

    /// <summary>Converts a score to an inclusive bound. This is an alias of <see cref="Inclusive"/>.</summary>
    public static implicit operator ScoreBound(double score) => new(score);
}
