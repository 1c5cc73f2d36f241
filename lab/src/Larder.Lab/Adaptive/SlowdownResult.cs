namespace Larder.Lab.Adaptive;

/// <summary>
/// The result of a run with a slow phase. For each second it contains the number of calls, the limit at the end of the second, and whether the target was out
/// of reach.
/// </summary>
internal sealed record SlowdownResult(int? Cap, IReadOnlyList<(long Calls, int Limit, bool OutOfReach)> Seconds, (int Before, int Slow, int After) Times)
{
    /// <summary>Gets the calls per second while the server was slow.</summary>
    public double RateWhileSlow => Seconds.Skip(Times.Before).Take(Times.Slow).Sum(second => second.Calls) / (double)Times.Slow;

    /// <summary>Gets the calls per second of the last three seconds.</summary>
    public double Afterwards => Seconds.TakeLast(3).Sum(second => second.Calls) / 3.0;
}
