namespace Larder.Tuner.Bench;

/// <summary>
/// Collects the rounds of one rung of one contender. A round in which other programs took more of the machine than <paramref name="noiseLimit"/>
/// processors is rejected and repeated, up to as many times as there are rounds and two; where quiet ones remain too few, the least disturbed stand in and the
/// row says so.
/// </summary>
internal sealed class RoundTally(int wanted, double noiseLimit, bool repeatDisturbed = true)
{
    private readonly List<Round> _quiet = [];
    private readonly List<Round> _rejected = [];

    /// <summary>Quiet rounds so far.</summary>
    public int Accepted => _quiet.Count;

    /// <summary>Whether any round was run.</summary>
    public bool HasRounds => _quiet.Count + _rejected.Count > 0;

    /// <summary>Whether another round should be run.</summary>
    public bool WantsMore => repeatDisturbed ? _quiet.Count < wanted && _rejected.Count < wanted + 2 : _quiet.Count + _rejected.Count < wanted;

    /// <summary>Adds a round; whether it counts.</summary>
    public bool Add(Round round)
    {
        bool quiet = round.OthersCpu is not { } others || others <= noiseLimit;
        (quiet ? _quiet : _rejected).Add(round);
        return quiet;
    }

    /// <summary>The medians.</summary>
    public BenchRow ToRow(string client, string transport, Rung rung)
    {
        Round[] standIns = _rejected.OrderBy(round => round.OthersCpu).Take(wanted - _quiet.Count).ToArray();
        return BenchRow.Of(client, transport, rung, [.. _quiet, .. standIns], _rejected.Count - standIns.Length, standIns.Length > 0);
    }
}
