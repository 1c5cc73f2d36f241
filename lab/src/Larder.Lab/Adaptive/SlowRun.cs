namespace Larder.Lab.Adaptive;

/// <summary>One run through a slow time: calls in each second, and the cap in force and whether the target was out of reach at its end.</summary>
internal sealed record SlowRun(int? Cap, IReadOnlyList<(long Calls, int Limit, bool OutOfReach)> Seconds, (int Before, int Slow, int After) Times)
{
    /// <summary>Calls a second while the server was slow.</summary>
    public double WhileSlow => Seconds.Skip(Times.Before).Take(Times.Slow).Sum(second => second.Calls) / (double)Times.Slow;

    /// <summary>Calls a second in the last three.</summary>
    public double Afterwards => Seconds.TakeLast(3).Sum(second => second.Calls) / 3.0;
}
