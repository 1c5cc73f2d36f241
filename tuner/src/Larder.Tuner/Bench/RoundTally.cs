namespace Larder.Tuner.Bench;

/// <summary>
/// Collects the rounds of one rung of one contender. A round is rejected if other programs used more than <paramref name="noiseLimit"/> processors. With
/// <paramref name="repeatDisturbed"/>, rejected rounds are repeated until <paramref name="wanted"/> rounds are undisturbed or <paramref name="wanted"/> + 2
/// rounds are rejected. If there are then too few undisturbed rounds, the least disturbed rejected rounds also count, and the row is marked.
/// </summary>
internal sealed class RoundTally(int wanted, double noiseLimit, bool repeatDisturbed = true)
{
    private readonly List<Round> _quiet = [];
    private readonly List<Round> _rejected = [];

    /// <summary>Gets the number of undisturbed rounds so far.</summary>
    public int Accepted => _quiet.Count;

    public bool HasRounds => _quiet.Count + _rejected.Count > 0;

    public bool WantsMore => repeatDisturbed ? _quiet.Count < wanted && _rejected.Count < wanted + 2 : _quiet.Count + _rejected.Count < wanted;

    /// <summary>Adds a round. Returns whether the round is undisturbed.</summary>
    public bool Add(Round round)
    {
        bool quiet = round.OthersCpu is not { } others || others <= noiseLimit;
        (quiet ? _quiet : _rejected).Add(round);
        return quiet;
    }

    /// <summary>Returns the row with the medians.</summary>
    public BenchRow ToRow(string client, string transport, Rung rung)
    {
        Round[] standIns = _rejected.OrderBy(round => round.OthersCpu).Take(wanted - _quiet.Count).ToArray();
        return BenchRow.Of(client, transport, rung, [.. _quiet, .. standIns], _rejected.Count - standIns.Length, standIns.Length > 0);
    }
}
