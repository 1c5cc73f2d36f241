using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The union computed so far: each element with its current score. It follows the rules of the in-process store.</summary>
/// <param name="aggregate">How the weighted scores of one element are combined.</param>
internal sealed class UnionScores(ScoreAggregate aggregate)
{
    // An estimate of the memory overhead per element: the array and the hash entry, including the table's spare capacity.
    private const int OverheadBytesPerElement = 128;

    private readonly Dictionary<ReadOnlyMemory<byte>, double> _scores = new(BytesComparer.Instance);
    private long _bytes;
    private long _taken;

    public int Count => _scores.Count;

    /// <summary>The elements and their scores. The union must not change during the iteration.</summary>
    public IEnumerable<KeyValuePair<ReadOnlyMemory<byte>, double>> All => _scores;

    /// <summary>Adds an element of a source.</summary>
    /// <param name="name">The element's bytes, which are copied.</param>
    /// <param name="weighted">The score times the source's weight. NaN counts as 0.</param>
    /// <returns>False if there is no memory for it or if the union has too many bytes.</returns>
    public bool TryAdd(ReadOnlySpan<byte> name, double weighted)
    {
        byte[] copy = name.ToArray();
        double score = ZeroIfNaN(weighted);
        if (_scores.TryGetValue(copy, out double present))
        {
            _scores[copy] = aggregate switch
            {
                ScoreAggregate.Min => Math.Min(present, score),
                ScoreAggregate.Max => Math.Max(present, score),
                _ => ZeroIfNaN(present + score),
            };
            return true;
        }

        _bytes += name.Length;
        if (_bytes > FleetLimits.MaxUnionBytes || !UnionMemory.TryTake(name.Length + OverheadBytesPerElement))
        {
            return false;
        }

        _taken += name.Length + OverheadBytesPerElement;
        _scores.Add(copy, score);
        return true;
    }

    /// <summary>Removes all elements and returns their memory.</summary>
    public void LetGo()
    {
        _scores.Clear();
        UnionMemory.GiveBack(_taken);
        _taken = 0;
    }

    private static double ZeroIfNaN(double score) => double.IsNaN(score) ? 0 : score;
}
