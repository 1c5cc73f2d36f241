using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// The part of the union that is computed so far: each element with its current score. The scores are combined by the same rules as in the in-process store.
/// </summary>
/// <param name="aggregate">How the weighted scores of an element are combined.</param>
internal sealed class UnionScores(ScoreAggregate aggregate)
{
    // An estimate of the memory overhead per element, for the array and the hash entry, including the unused capacity of the hash table.
    private const int OverheadBytesPerElement = 128;

    private readonly Dictionary<ReadOnlyMemory<byte>, double> _scores = new(BytesComparer.Instance);
    private long _bytes;
    private long _taken;

    public int Count => _scores.Count;

    /// <summary>Gets the elements and their scores. No element may be added or removed during the iteration.</summary>
    public IEnumerable<KeyValuePair<ReadOnlyMemory<byte>, double>> All => _scores;

    /// <summary>Adds an element of a source.</summary>
    /// <param name="name">The element's bytes, which are copied.</param>
    /// <param name="weighted">The score times the source's weight. NaN is treated as 0.</param>
    /// <returns>False if there is not enough memory for the element or if the union has too many bytes.</returns>
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

    /// <summary>Removes all elements and releases their memory.</summary>
    public void LetGo()
    {
        _scores.Clear();
        UnionMemory.GiveBack(_taken);
        _taken = 0;
    }

    private static double ZeroIfNaN(double score) => double.IsNaN(score) ? 0 : score;
}
