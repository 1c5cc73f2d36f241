namespace Larder.Tuner.Adaptive;

/// <summary>What was counted since the cap last changed or was last judged.</summary>
internal sealed class CapWindow(TimeSpan since)
{
    private double _seconds;

    /// <summary>When it began: calls begun before are not counted.</summary>
    public TimeSpan Since { get; } = since;

    /// <summary>Calls.</summary>
    public int Calls { get; private set; }

    /// <summary>Of them, over the target.</summary>
    public int Over { get; private set; }

    /// <summary>Of them, with others waiting for a permit.</summary>
    public int Waited { get; private set; }

    /// <summary>Mean time of a call.</summary>
    public double MeanSeconds => _seconds / Math.Max(1, Calls);

    /// <summary>Counts a call.</summary>
    public void Add(TimeSpan took, bool over, bool othersWaited)
    {
        Calls++;
        _seconds += took.TotalSeconds;
        Over += over ? 1 : 0;
        Waited += othersWaited ? 1 : 0;
    }
}
