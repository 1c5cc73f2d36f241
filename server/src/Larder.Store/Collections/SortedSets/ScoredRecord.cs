namespace Larder.Store.Collections;

/// <summary>The reference from a sorted set's tree to an element. References are ordered by score, and by the member's bytes if scores are equal.</summary>
internal unsafe struct ScoredRecord(double score, byte* record)
{
    public double Score = score;

    /// <summary>The element's record in the <see cref="HashIndex"/>.</summary>
    public byte* Record = record;

    /// <summary>Returns a negative number if this element comes before the other, and 0 if it is the same.</summary>
    public readonly int CompareTo(double score, ReadOnlySpan<byte> member) =>
        Score < score ? -1 : Score > score ? 1 : HashIndex.Element(Record).Key.SequenceCompareTo(member);
}
