using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The union as it grows: each element once, with the score that it has by now. By the rules of the store in this process.</summary>
/// <param name="aggregate">What is done with the weighted scores of one element.</param>
internal sealed class UnionScores(ScoreAggregate aggregate)
{
    // An element's array and its entry, with the room that the table grows ahead.
    private const int BytesBeside = 128;

    private readonly Dictionary<ReadOnlyMemory<byte>, double> _scores = new(BytesComparer.Instance);
    private long _bytes;
    private long _taken;

    public int Count => _scores.Count;

    /// <summary>The elements and their scores; they are not to change meanwhile.</summary>
    public IEnumerable<KeyValuePair<ReadOnlyMemory<byte>, double>> All => _scores;

    /// <summary>Adds an element of a source.</summary>
    /// <param name="name">Its bytes; copied.</param>
    /// <param name="weighted">Its score times its source's weight; 0 where that is no number.</param>
    /// <returns>False where there is no memory for it, or the bytes of all are too many.</returns>
    public bool TryAdd(ReadOnlySpan<byte> name, double weighted)
    {
        byte[] copy = name.ToArray();
        double score = NumberOr0(weighted);
        if (_scores.TryGetValue(copy, out double present))
        {
            _scores[copy] = aggregate switch
            {
                ScoreAggregate.Min => Math.Min(present, score),
                ScoreAggregate.Max => Math.Max(present, score),
                _ => NumberOr0(present + score),
            };
            return true;
        }

        _bytes += name.Length;
        if (_bytes > FleetLimits.MostUnionBytes || !UnionMemory.TryTake(name.Length + BytesBeside))
        {
            return false;
        }

        _taken += name.Length + BytesBeside;
        _scores.Add(copy, score);
        return true;
    }

    /// <summary>Forgets all.</summary>
    public void LetGo()
    {
        _scores.Clear();
        UnionMemory.GiveBack(_taken);
        _taken = 0;
    }

    private static double NumberOr0(double score) => double.IsNaN(score) ? 0 : score;
}
